"""Records what agents and language models say to each other, and makes training data of it.

`gateway` stands between them and writes `record`s; `reading` reads them back; `merge` finds the trajectory in them;
`export` writes it in the forms that trainers and viewers take. Knows nothing of tasks or papers.
"""
