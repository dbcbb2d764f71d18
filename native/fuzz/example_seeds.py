"""Seeds of fuzz_example: Examples in the form that writers produce, and odd ones."""

import struct

# Indices of the plans in fuzz_example.cc.
ANY, NUMBERS, FIXED, REQUIRED = 1, 2, 3, 5
LISTS, LIST_NUMBERS, FIXED_LISTS, MANY, HUNDRED = 7, 8, 9, 11, 12


def varint(value):
  value &= (1 << 64) - 1
  out = b""
  while value >= 0x80:
    out += bytes([value & 0x7f | 0x80])
    value >>= 7
  return out + bytes([value])


def field(number, data):
  return varint(number << 3 | 2) + varint(len(data)) + data


def ints(*values):
  return field(3, field(1, b"".join(map(varint, values))))


def unpacked(*values):
  return field(3, b"".join(b"\x08" + varint(value) for value in values))


def floats(*values):
  return field(2, field(1, struct.pack(f"<{len(values)}f", *values)))


def texts(*values):
  return field(1, b"".join(field(1, value) for value in values))


def entry(key, value):
  return field(1, field(1, key) + field(2, value))


def example(*entries, number=1):
  return field(number, b"".join(entries))


def steps(*features):
  return b"".join(field(1, feature) for feature in features)


# `runs` encodes how often the records are repeated and how many are appended at
# a time: 4 is one by one, 0xc2 forty times, 0xc3 a thousand times.
def seed(plan, *records, runs=0):
  return bytes([plan, 0, runs]) + b"".join(
      struct.pack("<H", len(record)) + record for record in records)


def seeds():
  group = b"\x4b\x53\x54\x4c"
  plain = example(entry(b"a", ints(1)), entry(b"b", floats(0.5, -2)),
                  entry(b"c", texts(b"text")))
  other = example(entry(b"c", texts(b"", b"x" * 40)), entry(b"z", b"?"),
                  entry(b"a", unpacked(-1, 2**53, 300)),
                  entry(b"", ints(*range(0, 2000, 13))))
  odd = group + example(
      field(1, field(2, ints(1)) + group + field(1, b"a") + field(2, ints(2))),
      field(1, field(1, b"c")), b"",
      entry(b"b", ints(1) + floats(1) + b"\x20\x01" + floats(2)))
  lists = example(entry(b"a", ints(7))) + example(
      entry(b"a", steps(ints(1), ints(2), ints(2**40))),
      entry(b"b", steps(floats(1, 2), floats(3, 4))),
      entry(b"c", steps(texts(b"step"), texts(b""))), number=2)
  loose = example(
      field(1, field(1, b"a") + field(2, steps(ints(), b"", unpacked(1, 2))) +
               field(2, steps(ints(3)))), number=2)
  many = example(*(entry(b"k%d" % i, (texts(b"v"), floats(1), ints(i))[i % 3])
                   for i in range(32)))
  return {
      "any": seed(ANY, plain, other, b"", odd),
      "any-one-by-one": seed(ANY, plain, other, odd, runs=4),
      "any-repeated": seed(ANY, plain, other, runs=0xc2),
      "any-groups": seed(ANY, plain, runs=0xc3),
      "any-cut": seed(ANY, plain, other[:-3], plain),
      "numbers": seed(NUMBERS, plain, other, plain),
      "fixed": seed(FIXED, plain, b"", example(entry(b"d", ints(1, 2)))),
      "fixed-faults": seed(FIXED, plain, other, odd, lists, plain),
      "required": seed(REQUIRED, plain, b"", other),
      "lists": seed(LISTS, lists, loose, plain, b"", lists + loose),
      "list-numbers": seed(LIST_NUMBERS, loose, lists, runs=4),
      "fixed-lists": seed(FIXED_LISTS, lists, loose, b"", lists),
      "many": seed(MANY, many, plain, many, runs=0xc2),
      "hundred": seed(HUNDRED, many, plain, many, runs=0xc2),
      "grammar": bytes([ANY, 1, 0]) + bytes(range(1, 240)),
      "grammar-lists": bytes([LISTS, 1, 0xc2]) + bytes(range(255, 8, -1)),
  }
