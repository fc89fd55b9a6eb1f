def leaves(tree, prefix=""):
    """(name, array) pairs in the order of names."""
    if isinstance(tree, dict):
        return [leaf for k in sorted(tree) for leaf in leaves(tree[k], f"{prefix}{k}.")]
    return [(prefix[:-1], tree)]


def map2(f, a, b):
    return {k: map2(f, a[k], b[k]) for k in a} if isinstance(a, dict) else f(a, b)
