"""What a licensee chose: the submission, whether it is legal, and the signs it must hang."""
