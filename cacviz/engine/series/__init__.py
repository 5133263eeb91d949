"""Hourly records: files become records, records become windows, hours and a table."""
