"""Seeds of fuzz_encoder: columns of every kind (encoder_columns.h)."""

BYTES, FLOATS, INTS = 0, 1, 2


def even(count):
  return bytes([2 * count])


def cut(*lengths):
  return b"\1" + bytes(lengths)


def anywhere(*lengths, start=(0, 128), end=(0, 128)):
  return b"\3" + bytes(lengths) + bytes([*start, *end])


# A shape is the number of bytes, plus 8 x the shift, plus 128 to invert.
def numbers(*values):
  data = b"".join(
      bytes([shape]) + value.to_bytes(shape % 8, "big")
      for shape, value in values)
  return bytes([len(values) - 1]) + data


def texts(size, *lengths, first=0):
  return bytes([len(lengths) - 1, size, first, *lengths])


def column(key_length, kind, layout, values, extra=0):
  return bytes([key_length, kind]) + layout + bytes([extra]) + values


def seed(rows, *columns):
  return bytes([rows, len(columns) - 1]) + b"".join(columns)


def seeds():
  small = numbers((1, 5), (1, 100))
  ids = numbers((1, 127), (2, 16383), (2, 16384), (3, 2000000), (4, 1 << 27))
  wide = numbers((7, 1 << 55), (1 + 8 * 15, 3), (128, 0), (129, 7), (2, 300))
  bits = numbers((4, 0x3F800000), (4, 0x7FC00001), (4, 0x80000000))
  return {
      "scalars": seed(5, column(0, INTS, even(1), small),
                      column(3, FLOATS, even(1), bits),
                      column(200, BYTES, even(1), texts(90, 3, 0, 31))),
      "blocks": seed(3, column(1, INTS, even(63), ids),
                     column(1, INTS, even(33), wide),
                     column(1, INTS, even(32), small)),
      "cut": seed(4, column(2, INTS, cut(0, 40, 1, 70), ids),
                  column(2, BYTES, cut(2, 0, 3, 1), texts(200, 9, 30, 1)),
                  column(2, FLOATS, cut(1, 0, 0, 33), bits)),
      "anywhere": seed(3, column(0, INTS, anywhere(9, 9, 9, start=(2, 120)),
                                 wide)),
      "wild": seed(2, column(0, INTS, anywhere(3, 3, end=(1, 255)), wide)),
      "short": seed(2, column(0, FLOATS, even(3), bits, extra=251)),
      "back": seed(2, column(0, BYTES, even(2), texts(50, 9, 255, 3))),
      "beyond": seed(2, column(0, BYTES, even(2), texts(50, 9, 254))),
      "empty": seed(0, column(0, BYTES, even(2), texts(0, 0))),
  }
