"""Stories: settings made for one idea, and the actions that they suggest."""
