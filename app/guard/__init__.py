"""Who may ask, and how much: names, origins, sizes, headers, the door of a class."""
