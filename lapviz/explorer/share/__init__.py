"""What people take away: links, scripts, tables, live pages."""
