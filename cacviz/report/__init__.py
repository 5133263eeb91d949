"""What is handed over: HTML, Word, PDF, print figures, tables, model card, TRIPOD+AI, script."""
