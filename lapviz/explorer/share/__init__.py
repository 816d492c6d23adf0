"""Exports: links, scripts, tables, live pages."""
