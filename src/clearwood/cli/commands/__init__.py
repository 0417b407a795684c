"""The commands: what each takes. What each does is in the file of the same name in `running`."""
