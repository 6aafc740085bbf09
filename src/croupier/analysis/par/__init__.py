"""The PAR sheet, and two of them compared."""
