"""The server's addresses: each route parses, calls and answers."""
