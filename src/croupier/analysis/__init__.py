"""The exact mathematics of every configuration. Kernels count deals and know no money; payment
comes from the games' own settle, tabulated over its finite classes."""
