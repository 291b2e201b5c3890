"""What `contradicted-lead-in` reads in a lead-in: states and counts."""
