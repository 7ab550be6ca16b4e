"""A front that answers what needs no model, and replicas that compute the rest."""
