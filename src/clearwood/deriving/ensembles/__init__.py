"""How an ensemble was made, and how its members' answers become one."""
