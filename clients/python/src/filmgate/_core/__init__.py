"""What both clients share. Nothing in here does I/O: a flow yields what is to be done, and a driver does it."""
