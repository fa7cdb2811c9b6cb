"""Migrations of the SQL schema."""
