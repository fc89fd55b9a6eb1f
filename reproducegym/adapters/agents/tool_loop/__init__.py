"""An agent of our own: a model on the host asks for commands and files, and a hand in the sandbox does them."""
