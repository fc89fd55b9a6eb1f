def features(i, words, previous, before):
    word = words[i]
    yield "bias"
    yield "word " + word
    yield "suffix " + word[-2:]
    yield "prev " + previous
    yield "prev2 " + previous + " " + before
    yield "next " + (words[i + 1] if i + 1 < len(words) else "END")
