"""The judge as a program of its own inside a verifier's container: standard library, the verifier and the drawing."""
