"""The program `/node/node` of a sandbox: passes commands and files to a node, through the door."""
