"""The function main of random programs in C: threads are made and joined."""


def create(threads):
    return [f"    pthread_create(&t[{k}], NULL, thread{k}, NULL);" for k in range(threads)]


def join(threads):
    return [f"    pthread_join(t[{k}], NULL);" for k in range(threads)]


def main_in_c(threads, before=(), never=None, value="v[{}]"):
    """Lines of a main that does `before`, then runs thread0, thread1 ... and waits for them.  never:
    values of v[], each read as `value` says, and of last[] that are together a failed assertion at
    the end."""
    lines = ["int main(void)", "{", f"    pthread_t t[{threads}];"]
    lines += ["    " + line for line in before]
    lines += create(threads) + join(threads)
    if never:
        values, got = never
        tests = [f"{value.format(k)} == {x}" for k, x in enumerate(values)]
        tests += [f"last[{k}] == {x}" for k, x in enumerate(got)]
        lines.append(f"    assert(!({' && '.join(tests)}));")
    return [*lines, "    return 0;", "}", ""]
