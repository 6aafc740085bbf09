"""Kernels that count deals; they know no money."""
