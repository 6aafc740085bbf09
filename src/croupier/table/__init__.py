"""The table: commands in, events or a refusal out, and views of what each person may see."""
