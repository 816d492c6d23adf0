"""Experiments: functions that measure methods on data and return rows of a table."""
