"""Words for people: the glossary, the formula line, and how formulas are typeset."""
