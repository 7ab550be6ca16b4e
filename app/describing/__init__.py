"""What the server knows, as JSON says it: one module for each thing described."""
