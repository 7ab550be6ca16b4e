"""What the server takes and sends, for the checks of requests and the OpenAPI document."""
