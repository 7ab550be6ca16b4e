"""The page's templates, as package data."""
