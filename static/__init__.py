"""The page's scripts, styles and fonts, as package data."""
