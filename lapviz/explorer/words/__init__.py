"""Text for visitors: the glossary, the formula line, and the typesetting of formulas."""
