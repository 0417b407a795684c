"""Components: a few new axes that tell most of what many columns do, and what each is made of."""
