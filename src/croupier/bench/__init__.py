"""Measurements of Croupier against other packages, made on the machine of whoever runs them."""
