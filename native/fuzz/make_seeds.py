"""Writes the first seeds of the fuzzers into corpus/<target>/.

The seeds are small, and the same on every run (with the same zlib).
"""

import pathlib
import struct
import zlib

import encoder_seeds
import example_seeds

HERE = pathlib.Path(__file__).parent / "corpus"
TEXT = b"feature label image/encoded int64_list value " * 9 + bytes(range(256))


def raw(data, level=6, strategy=zlib.Z_DEFAULT_STRATEGY, flush=False):
  deflate = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
  out = deflate.compress(data)
  if flush:
    out += deflate.flush(zlib.Z_FULL_FLUSH)
  return out + deflate.flush()


def gzip(data, flags=0, fields=b"", level=6):
  header = b"\x1f\x8b\x08" + bytes([flags]) + b"\0\0\0\0\0\3" + fields
  if flags & 2:
    header += struct.pack("<H", zlib.crc32(header) & 0xffff)
  trailer = struct.pack("<II", zlib.crc32(data), len(data))
  return header + raw(data, level) + trailer


def write(target, name, data):
  folder = HERE / target
  folder.mkdir(parents=True, exist_ok=True)
  (folder / name).write_bytes(data)


def main():
  whole = b"\xff\xff"
  small = b"\x02\x06"
  for name, data in {
      "empty": raw(b""),
      "stored": raw(TEXT, 0),
      "fixed": raw(TEXT, 6, zlib.Z_FIXED),
      "dynamic": raw(TEXT),
      "flushed": raw(TEXT, 6, zlib.Z_DEFAULT_STRATEGY, True),
      "run": raw(b"a" * 70000),
      "cut": raw(TEXT)[:-5],
      "tail": raw(TEXT) + b"12345678tail",
      "reserved": raw(TEXT, 6, zlib.Z_DEFAULT_STRATEGY, True)[:-2] + b"\xff" * 9,
  }.items():
    write("fuzz_inflate", name, whole + data)
    write("fuzz_inflate", name + "-pieces", small + data)

  extra = b"\x10\0TR\x0c\0" + struct.pack("<QI", 60, 1)
  for name, data in {
      "gzip": gzip(TEXT),
      "gzip-members": gzip(b"") + gzip(TEXT) + gzip(b"") + gzip(b"a"),
      "gzip-fields": gzip(TEXT, 31, extra + b"name\0comment\0"),
      "gzip-ours": gzip(b"record", 4, extra),
      "gzip-cut": gzip(TEXT)[:-3],
      "gzip-tail": gzip(TEXT) + b"\0\0\0",
      "gzip-magic": gzip(TEXT) + b"\x1f\x8b",
      "gzip-crc": gzip(TEXT)[:-8] + b"\0" * 8,
  }.items():
    write("fuzz_container", name, b"\0" + small + data)
  for name, data in {
      "zlib": zlib.compress(TEXT),
      "zlib-streams": zlib.compress(TEXT) + zlib.compress(b"") +
                      zlib.compress(b"a", 9),
      "zlib-cut": zlib.compress(TEXT)[:-3],
      "zlib-tail": zlib.compress(TEXT) + b"abc",
  }.items():
    write("fuzz_container", name, b"\1" + small + data)

  for name, data in {
      "empty": b"\6\xff\xff\0",
      "text": b"\6\x20\x20\0" + TEXT,
      "long": b"\1\xff\xf0\3" + TEXT,
      "flushed": b"\x09\x10\x10\1" + TEXT,
      "stored": b"\0\xff\xff\0" + TEXT,
  }.items():
    write("fuzz_deflate", name, data)

  plain = b"\0\0\x20\3"
  for name, data in {
      "whole": plain + b"\x28\0" + TEXT * 4,
      "raw": plain + b"\0\0" + TEXT,
      "size": plain + b"\x28\1" + b"\0\x10\1" + TEXT * 4,
      "two": plain + b"\x28\2" + b"\0\x1e\4" + b"\1\0\x80" + TEXT * 4,
      "limit": b"\1\x90\xff\7\xa0\0" + TEXT * 4,
  }.items():
    write("fuzz_members", name, data)

  # Layout, codecs, distances, slab, size of records, repetition.
  for name, data in {
      "plain": b"\0\0\4\2\x20\x28\x10" + b"\0\0\0\0",
      "member": b"\1\x40\4\x08\x20\x28\x7f" + b"\0\0\0\0",
      "members": b"\1\x40\4\2\x20\x28\x08" + b"\0\0\0\0",
      "blocks": b"\2\x41\4\x08\x20\xff\x7f" + b"\0\0\0\0",
      "ours": b"\3\x40\4\2\x20\x28\x08" + b"\0\0\0\0",
      "damaged": b"\1\x40\4\2\x20\x28\x08" + b"\7\0\1\0",
      "cut": b"\2\x41\4\2\x20\x28\x7f" + b"\0\0\0\7",
  }.items():
    write("fuzz_jumps", name, data + TEXT * 4)

  # Compression, verify, limit, slab, format, ranges, how they are fed; then
  # form, size of records, their number, records a member, damage.
  fed = b"\0\0\0\x10\0\2\5\1\2\3\4\5"
  for name, data in {
      "raw": fed + b"\0\0\0\0\0",
      "plain": fed + b"\1\x20\xff\1\0",
      "large": fed + b"\1\xff\x7f\1\0",
      "gzip": fed + b"\2\x20\xff\xff\0",
      "ours": fed + b"\3\x20\xff\7\0",
      "damaged": b"\0\0\0\x10\x08\1\2\7\4" +
                 b"\3\x20\xff\7\2\0\1\0\4\0\x20\7\1",
      "cut": b"\0\0\0\x10\x08\0\2\7\4" + b"\1\x20\xff\7\1\0\x40\0\xff",
      "lines": b"\0\0\xff\x10\x0f\0\2\7\4" + b"\0\0\0\0\0" + b"a\nb\r\n",
  }.items():
    write("fuzz_ranges", name, data + TEXT * 4)

  # Layout, codecs, number of edits and one; section, kind, position, value.
  for name, data in {
      "plain": b"\0\0\1",
      "gzip": b"\1\0\1",
      "zlib": b"\2\1\1",
      "ours": b"\3\0\1",
      "place": b"\0\0\2" + b"\2\2\0\7\x20",
      "window": b"\1\0\2" + b"\3\2\2\0\x55",
      "checkpoint": b"\2\1\3" + b"\3\2\0\5\x7f" + b"\3\1\0\6\x80",
      "short": b"\1\0\2" + b"\3\0\0\x40\0",
      "compression": b"\1\0\2" + b"\1\2\0\0\2",
      "raw": b"\0\0\0" + b"\x89TFIDX\r\n\1\0\0\0\4\0\0\0",
  }.items():
    write("fuzz_index", name, data)

  lines = b"one,\"two\nthree\"\r\n\n" + TEXT + b"\nlast"
  for name, data in {
      "lines": b"\0\0\x20\0" + lines,
      "mark": b"\0\0\x01\0\xef\xbb\xbfone\r\n\xef\xbb\xbftwo",
      "limit": b"\0\xa0\x07\0" + lines + b"x" * 300,
      "csv": b"\1\0\x10\0" + lines,
      "tabs": b"\x82\0\x10\x02" + lines.replace(b",", b"\t"),
      "fixed": b"\2\0\x20\0\x20\x03\x02\x20" + TEXT,
      "overlap": b"\2\0\xff\x10\x80\0\0\x01" + TEXT,
      "gap": b"\2\0\x05\0\x02\x01\0\x90" + TEXT,
  }.items():
    write("fuzz_framers", name, data)

  for name, data in example_seeds.seeds().items():
    write("fuzz_example", name, data)
  for name, data in encoder_seeds.seeds().items():
    write("fuzz_encoder", name, data)

  def op(code, data):
    return bytes([code, len(data)]) + data

  plain = b"\x06\0\x06\0"
  for name, data in {
      "whole": op(0, b"one") + op(0, b"two"),
      "flipped": op(0, b"one") + op(0, b"two") + b"\5\x12" + op(0, b"three"),
      "zeros": op(0, b"one") + b"\6\x40" + op(0, b"two"),
      "cut": op(0, b"one" * 20) + b"\7\x08" + op(0, b"two"),
      "nested": op(2, b"in") + op(2, b"ner") + op(3, b"out") + op(0, b"two"),
      "nested-lost": op(2, b"in") + op(2, b"ner") + op(4, b"x" * 12) +
                     op(3, b"") + b"\7\x04" + op(0, b"two"),
      "garbage": op(4, TEXT[:200]) + op(0, b"two"),
  }.items():
    write("fuzz_salvage", name, plain + data)


if __name__ == "__main__":
  main()
