def tau(a, b):
    """Kendall's tau-a of two sequences of scores."""
    n, balance = len(a), 0
    for i in range(n):
        for j in range(i):
            product = (a[i] - a[j]) * (b[i] - b[j])
            balance += int(product > 0) - int(product < 0)
    return 2 * balance / (n * (n - 1))
