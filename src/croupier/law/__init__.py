"""The regulations as data: clauses, books, rulings, and where each is enforced."""
