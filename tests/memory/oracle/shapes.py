"""Atomic variables of random programs: numbers, or structures that are loaded, stored and exchanged as a whole.

A program whose variables are structures has the outcomes, and the races, that it has with numbers: `value` is
the number, and the other members are always 0.  Padding that is undefined could make a compare-exchange of what is
equal fail.
"""

import collections

# members: of the structure; None: it is a number.
Shape = collections.namedtuple("Shape", "name members")
NUMBER = Shape("number", None)
INSTRUCTIONS = [Shape("halves", "short value, other;"), Shape("words", "int value, other;"),
                Shape("pair", "long value, other;"), Shape("odd", "int value, a, b;")]
PADDED = Shape("padded", "int value; char other;")  # as long as no value is computed
LARGE = Shape("large", "long value, a, b;")  # no instruction accesses it


def declaration(shape):
    """Of the type atomic_value"""
    if not shape.members:
        return "typedef atomic_int atomic_value;\n"
    return f"struct word {{ {shape.members} }};\ntypedef _Atomic(struct word) atomic_value;\n"


def whole(shape, value):
    return f"((struct word){{{value}}})" if shape.members else value


def initial(shape, value):
    if shape.members and value:
        raise ValueError("clang has no initial values of atomic structures")
    return "" if shape.members else f" = {value}"


def part(shape, text):
    """The number in a structure; clang has no members of what an atomic operation gives."""
    return f"({{ struct word w = {text}; w.value; }})" if shape.members else text


def is_plain(shape, order):
    """Of a structure of 16 bytes, clang makes other accesses by an operator than by a function."""
    return shape.members and order == "memory_order_seq_cst"


def load(shape, x, order):
    return part(shape, f"*{x}" if is_plain(shape, order) else f"atomic_load_explicit({x}, {order})")


def store(shape, x, value, order):
    if is_plain(shape, order):
        return f"*{x} = {whole(shape, value)};"
    return f"atomic_store_explicit({x}, {whole(shape, value)}, {order});"


def exchange(shape, register, x, value, order):
    return f"{register} = " + part(shape, f"atomic_exchange_explicit({x}, {whole(shape, value)}, {order})") + ";"


def compare_exchange(shape, register, x, expected, value, strength, order, failure):
    """The register has then what was there."""
    function = f"atomic_compare_exchange_{strength}_explicit"
    rest = f"{whole(shape, value)}, {order}, {failure});"
    if not shape.members:
        return f"{register} = {expected}; {function}({x}, &{register}, {rest}"
    return f"{{ struct word w = {{{expected}}}; {function}({x}, &w, {rest} {register} = w.value; }}"
