"""Writes test/golden/decoders.json: the outcomes of TensorFlow's decoders for edge cases.

    "$(scripts/tensorflow-venv.sh)" scripts/make-decoder-golden.py

One vector per line, in the order of VECTORS: {"op", "in", ... options, "out" | "error" |
"crash"}. test/integration/decoders-golden.test.ts reads them. Byte strings are hex.
"out" of an op that returns one tensor is {"shape", "data"}; data is the hex of the
little-endian values or, for strings, a list of hex. Types smaller than a byte have one
value per byte, without the unused bits. "error" is the class and the beginning of the
message, "crash" the signal that ended the process. Each vector runs in a process that
may crash.
"""

import gzip
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import zlib

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "test" / "golden"
MESSAGE_LENGTH = 90


def h(value):
    return (value.encode() if isinstance(value, str) else value).hex()


# ---- vectors: CSV

NUMBERS = (
    "0|-0|1|+1|-1|007| 5|5 |\t5|5\v|1.5|.5|5.|-.5e-3|1e5|1E+5|1e400|1e-400|-1e400|2147483647|2147483648"
    "|-2147483648|-2147483649|9223372036854775807|9223372036854775808|-9223372036854775808"
    "|-9223372036854775809|00000000000000000000000001|inf|-INF|+Infinity|infinit|nan|-NaN|nan(1)|nan(|0x1p3"
    "|0X.8P1|0x|0x1p|-0x1.8|0x1.ffffffp0|0x1.000001p0|0x1p-149|0x1p-150|0x1p-1074|0x1p-1075|0x1p1024"
    "|16777217|16777217.0000000001|3.4028235677973366e38|3.4028236e38|1.40129846432481707e-45|1e|e5|.|+|- 1"
    "|1_0|1,5|| |NA|a|é|1 2|--1|0b1|1f|0x10|1L|１|1e+|1e5.0|++1|+-1"
).split("|")
CSV_TYPES = ["float32", "float64", "int32", "int64"]


def csv(records, defaults, **options):
    records = records if isinstance(records, list) else [records]
    return {"op": "decode_csv", "in": [h(one) for one in records], "defaults": defaults, **options}


def csv_vectors():
    for text in NUMBERS:
        for dtype in CSV_TYPES:
            yield csv('"%s"' % text, [{"dtype": dtype}])
    text, number = {"dtype": "bytes"}, {"dtype": "int64", "default": 7}
    shapes = [
        "", ",", "a", "a,", ",a", "a,b,c", '"a"', '"a,b"', '"a""b"', '"a"b', '"a" ,b', ' "a"', 'a"b', '""', '"', '"a', "a\n",
        "a\r", "a\r\n", "\na", "\ra", "a\nb", '"a\nb"', '"a\r\n"', '"a"\n', '"a"\r\n', "a,\n", "\n", "\r\n", "a, b", " a ", "\t", "é",
        "\ufeffa", '""""', '"""', '"",""', "a,b,", ",,", '"a","b"', '"a";b', "a\0b", '"\0"',
    ]
    for shape in shapes:
        yield csv(shape, [text])
        yield csv(shape, [text, text])
        yield csv(shape, [{"dtype": "bytes", "default": h("d")}], useQuoteDelim=False)
    for shape in ["", '""', "NA", '"NA"', " ", "na", "NAN", "5"]:
        yield csv(shape + ",x", [number, text])
        yield csv(shape + ",x", [number, text], naValue=h("NA"))
        yield csv(shape + ",x", [{"dtype": "int64"}, text])
    for delimiter in [";", "\t", " ", '"', "\n", "a", "1", "", ";;", "é", "\0"]:
        yield csv("1%s2" % delimiter, [number, number], fieldDelim=delimiter)
    for columns in [[0], [1], [0, 2], [2, 3], [3], [1, 1], [1, 0], [-1], [0, 1]]:
        yield csv('1,2,"3"', [number] * len(columns), selectCols=columns)
        yield csv('x,2,3"', [number] * len(columns), selectCols=columns)
    yield csv('1,2', [number], selectCols=[0, 1])
    yield csv([], [number])
    yield csv(["1", "2", "x"], [number])
    yield csv(["1", "2,3"], [number])
    yield csv(["1,a", "2,b"], [number, text])
    yield csv(b"\xff,1", [text, number])


# ---- vectors: raw bytes

SIZES = {
    "float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "int8": 1, "int16": 2, "int32": 4, "int64": 8,
    "uint8": 1, "uint16": 2, "bool": 1, "complex64": 8, "complex128": 16,
}


def noise(count, seed=1):
    return bytes((i * 37 + seed * 101 + (i * i) % 13) & 255 for i in range(count))


def raw_vectors():
    def raw(given, dtype, little=True, **rest):
        return {"op": "decode_raw", "in": given, "outType": dtype, "littleEndian": little, **rest}

    for dtype, size in SIZES.items():
        for little in (True, False):
            for count in (0, size, 3 * size):
                yield raw(h(noise(count)), dtype, little)
            yield raw([h(noise(size)), h(noise(size, 2))], dtype, little)
        if size > 1:
            yield raw(h(noise(size + 1)), dtype)
            yield raw(h(noise(1)), dtype)
        yield raw([h(noise(size)), h(noise(2 * size))], dtype)
        yield raw([h(noise(size)), ""], dtype)
        yield raw(["", ""], dtype)
        yield raw([], dtype)
    for dtype in ("uint32", "uint64", "bytes", "qint8"):
        yield raw(h(noise(16)), dtype)
    yield raw([h(b"\0\1\2\xff")], "bool")
    for dtype in ("float32", "float64", "float16", "bfloat16"):
        yield raw(h(bytes.fromhex("0100807f010000000000f07f00c0ff7f")), dtype)
    for dtype, size in SIZES.items():
        for little in (True, False):
            for length in (size, 16):
                yield raw(h(noise(7)), dtype, little, fixedLength=length)
            yield raw([h(noise(1)), h(noise(20)), ""], dtype, little, fixedLength=16)
        yield raw([], dtype, fixedLength=16)
        yield raw("", dtype, fixedLength=16)
        for length in (0, -2, size + 1, 2 * size):
            yield raw(h(noise(5)), dtype, fixedLength=length)


# ---- vectors: compression


def compressed_vectors():
    def one(given, kind, **rest):
        given = h(given) if isinstance(given, bytes) else given
        return {"op": "decode_compressed", "in": given, "type": kind, **rest}

    data = b"work and no play " * 30
    packed = {"GZIP": gzip.compress(data, mtime=0), "ZLIB": zlib.compress(data)}
    empty = {"GZIP": gzip.compress(b"", mtime=0), "ZLIB": zlib.compress(b"")}
    for kind in ("", "ZLIB", "GZIP", "ZSTD", "NONE", "gzip", "SNAPPY"):
        for given in (b"", b"a", packed["GZIP"], packed["ZLIB"]):
            yield one(given, kind)
    for kind, stream in packed.items():
        for cut in list(range(1, len(stream), 4)) + [len(stream) - 1]:
            yield one(stream[:cut], kind)
        yield one(stream, kind)
        yield one(empty[kind], kind)
        yield one(stream + stream, kind)
        yield one(stream + stream + stream, kind)
        yield one(stream + empty[kind], kind)
        yield one(empty[kind] + stream, kind)
        yield one(stream + empty[kind] + stream, kind)
        for tail in (b"\0", b"\n", b"\x1f", b"\0\0", b"ab", bytes(100), b"\x78", b"\x78\x9c"):
            yield one(stream + tail, kind)
        for at in (0, 1, 2, 3, 8, 9, 10, 12, len(stream) - 8, len(stream) - 4, len(stream) - 1):
            damaged = bytearray(stream)
            damaged[at] ^= 1
            yield one(bytes(damaged), kind)
        yield one([h(stream), h(empty[kind])], kind)
        yield one([], kind)
        yield one([h(stream), h(b"x")], kind)
    raw = zlib.compressobj(wbits=-15)
    deflate = raw.compress(data) + raw.flush()
    for kind in ("ZLIB", "GZIP"):
        yield one(deflate, kind)
        yield one(zlib.compress(data, 0), kind)
    zstd = bytes.fromhex(
        "28b52ffd2010810000" + h("0123456789abcdef")
    )
    yield one(zstd, "ZSTD")
    yield one(bytes.fromhex("28b52ffd2000010000"), "ZSTD")
    yield one(zstd + zstd, "ZSTD")
    for cut in (1, 4, 8, 12, len(zstd) - 1):
        yield one(zstd[:cut], "ZSTD")
    yield one(zstd + b"ab", "ZSTD")
    yield one(b"\0" + zstd, "ZSTD")
    yield one([h(zstd), h(zstd)], "ZSTD")
    yield one([h(zstd), h(zstd[:5])], "ZSTD")
    # A frame without the size of its content; two frames; a skippable frame.
    yield one(bytes.fromhex("28b52ffd005829000068656c6c6f"), "ZSTD")
    yield one(bytes.fromhex("502a4d180400000061626364") + zstd, "ZSTD")


# ---- vectors: JSON

JSON_INT64 = (
    '0|1|-1|-0|0.0|2.0|1e2|1E2|1e+2|100e-2|1.50e1|1.5|1e-1|"7"|"-7"|"+7"|"007"|" 7"|"7 "|"7.0"|"1e2"|"1.5"|"0x10"|""|"x"|true|"true"'
    '|9007199254740993|"9007199254740993"|9223372036854775807|9223372036854775808|-9223372036854775808|-9223372036854775809'
    '|"9223372036854775807"|"9223372036854775808"|"-9223372036854775808"|"-9223372036854775809"|1e18|1e19|"1e18"|"1e19"|9.007199254740993e15'
    '|"9.007199254740993e15"|9007199254740993.0|"9007199254740993.0"|9.2233720368547758e18|9.223372036854775e18|-9.223372036854775808e18|9007199254740992e0|9007199254740993e0|90071992547409930e-1'
    '|1e30|"1e30"|1e400|01|+1|.5|5.|0x10|NaN|"NaN"|Infinity|"Infinity"|[]|{}|[1]|-|1e|1e-400|0e400|12345678901234567|1234567890123456789|123456789012345678901234567890'
).split("|")
JSON_FLOAT = (
    '0|-0|1.5|"2.5"|"-2.5"|"+2.5"|"NaN"|"nan"|"NAN"|"-NaN"|"-nan"|"Infinity"|"-Infinity"|"+Infinity"|"infinity"|"inf"|"-inf"|"+inf"|"INF"|NaN|Infinity|-Infinity|1e-30|3.4028234e38|3.4028235e38|"3.4028235e38"|3.4028236e38|"3.4028236e38"'
    '|3.4028234663852886e38|"3.4028234663852886e38"|3.40282356e38|"3.40282356e38"|3.4028235677973366e38|-3.4028235e38|"-3.4028235e38"|1e39|"1e39"|1e40|"1e40"|1e400|"1e400"|-1e400|"-1e400"|16777217|"16777217"|1e-60|"1e-60"|1e-400|"1e-400"'
    '|"0x1p3"|"0x10"|" 1"|"1 "|"1f"|""|"x"|true|"."|".5"|"5."|"1e"|5.|.5|01|+1|"01"|"+1"|"1_0"|"nan(1)"|"1,5"|[]|{}|12345678901234567890|1e-45|7e-46|"7e-46"|"1e-45"|1e-40|"1e-40"|-0.0|"-0"|"1e5"|1E5'
).split("|")
JSON_BYTES = (
    '""|"YQ=="|"YQ"|"YQ="|"YWI="|"YWI"|"YWJj"|"_-8="|"_-8"|"/+8="|"/+8"|"/-8="|"Y!"|"Y"|"YR=="|"YR"|" YQ=="|"YQ== "|"Y Q="|"Y\\nQ="|"=="|"="|"YQ==YQ=="|"YQ===|1|true|[]|{}|"\\u0059Q=="|"YWJjZ"|"é"'
).split("|")


def json_text(kind, value):
    return '{"features":{"feature":{"a":{"%s":{"value":[%s]}}}}}' % (kind, value)


def json_vectors():
    def one(text, **rest):
        return {"op": "decode_json_example", "in": h(text), **rest}

    for kind, values in (("int64List", JSON_INT64), ("floatList", JSON_FLOAT), ("bytesList", JSON_BYTES)):
        for value in values:
            yield one(json_text(kind, value))
        for value in ("null", "1,null", "null,1"):
            yield one(json_text(kind, value))
        for body in ("{}", "null", '{"value":null}', '{"value":[]}', '{"value":{}}', '{"value":1}', '{"value":"YQ=="}', '{"valu":[]}', "[]", "1", '"x"',
                     '{"value":[[1]]}', '{"value":["1"],"value":["2"]}'):
            yield one('{"features":{"feature":{"a":{"%s":%s}}}}' % (kind, body))
    features = [
        "{}", "null", "[]", "1", '"x"', '{"int64List":{"value":[1]},"floatList":{"value":[1]}}', '{"int64List":null,"floatList":{"value":[1]}}',
        '{"int64_list":{"value":[1]}}', '{"bytes_list":{"value":["YQ=="]}}', '{"float_list":{}}', '{"int64List":{"value":[1]},"int64_list":{"value":[2]}}',
        '{"int64List":{"value":[1]},"int64List":{"value":[2]}}', '{"INT64LIST":{"value":[1]}}', '{"kind":{}}', '{"":{}}',
    ]
    for feature in features:
        yield one('{"features":{"feature":{"a":%s}}}' % feature)
    good = '{"int64List":{"value":["1"]}}'
    texts = [
        "", " ", "{}", "[]", "null", "1", '"x"', "{", "}", "{]", "{}x", "{} ", "\n{}", "{}{}", '{"features":null}', '{"features":{}}', '{"features":[]}',
        '{"features":{"feature":null}}', '{"features":{"feature":[]}}', '{"features":{"feature":{"a":%s,"a":%s}}}' % (good, good),
        '{"features":{"feature":{"a":%s,"b":%s}}}' % (good, good), '{"features":{"feature":{"":%s}}}' % good,
        '{"features":{"feature":{"\\u00e9":%s}}}' % good, '{"features":{"feature":{"é":%s}}}' % good, '{"features":{"feature":{"\\ud83d\\ude00":%s}}}' % good,
        '{"features":{"feature":{"\\ud83d":%s}}}' % good, '{"features":{"feature":{"\\u0000":%s}}}' % good,
        "{'features':{'feature':{'a':%s}}}" % good, "{features:{feature:{a:%s}}}" % good, '{"features":{"feature":{"a":%s,}}}' % good,
        '{"features":{"feature":{"a":%s}},}' % good, '{"features":{"feature":{"a":{"int64List":{"value":["1",]}}}}}',
        '{"features":{},"features":{"feature":{"a":%s}}}' % good, '{"unknown":1}', '{"features":{"unknown":1}}', '{"features":{"feature":{"a":%s}}, "x":{}}' % good,
        '// c\n{"features":{}}', '/* c */{"features":{}}', "\ufeff{}", '{"features":{"feature":{"a":{"int64List":{"value":[1 2]}}}}}',
        '{"features" : { "feature" : { "a" : %s } } }' % good, '{"featureLists":{}}', '{"features":{"feature":{"a\tb":%s}}}' % good, '{"features":{"feature":{"a\\qb":%s}}}' % good,
        '{"\\u0066eatures":{"feature":{"a":%s}}}' % good, '{"features":{"feature":{1:%s}}}' % good, "{\"features\":{\"feature\":{\"a\":%s}}}\0" % good,
        '{"features":{"feature":{"a":{"bytesList":{"value":"YQ=="}}}}}', '{"features":{"feature":{"a":{"int64List":{"value":3}}}}}',
        '{"features":{"feature":{"__proto__":%s,"constructor":%s}}}' % (good, good), '{"features":{"feature":{"a":%s},"feature":{"b":%s}}}' % (good, good),
    ]
    escapes = ("\\'", "\\U0001F600", "\\x41", "\\a", "\\v", "\\0", "\\101", "\\u12", "\\\n")
    for raw in [*map(chr, range(0x20)), "\x7f", "\u2028", *escapes]:
        texts.append('{"features":{"feature":{"a%sb":%s}}}' % (raw, good))
        texts.append('{"features":{"feature":{"a":{"bytesList":{"value":["YQ%s=="]}}}}}' % raw)
    for text in texts:
        yield one(text)
    yield one(b'{"features":{"feature":{"\xff":{}}}}')
    for depth in (10, 50, 99, 100, 101, 200):
        yield one('{"x":%s}' % ("[" * depth + "]" * depth))


# ---- vectors: TensorProto


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def dims(shape):
    return field(2, b"".join(field(2, b"\x08" + varint(size)) for size in shape))


# dtype: number, bytes of one value, field of typed values, their form
TYPES = {
    "float32": (1, 4, 5, "f"), "float64": (2, 8, 6, "d"), "int32": (3, 4, 7, "v"), "uint8": (4, 1, 7, "v"), "int16": (5, 2, 7, "v"),
    "int8": (6, 1, 7, "v"), "bytes": (7, 0, 8, "s"), "complex64": (8, 8, 9, "f"), "int64": (9, 8, 10, "v"), "bool": (10, 1, 11, "v"),
    "qint8": (11, 1, 7, "v"), "quint8": (12, 1, 7, "v"), "qint32": (13, 4, 7, "v"), "bfloat16": (14, 2, 13, "v"), "qint16": (15, 2, 7, "v"),
    "quint16": (16, 2, 7, "v"), "uint16": (17, 2, 7, "v"), "complex128": (18, 16, 12, "d"), "float16": (19, 2, 13, "v"), "uint32": (22, 4, 16, "v"),
    "uint64": (23, 8, 17, "v"), "float8_e5m2": (24, 1, 18, "b"), "float8_e4m3fn": (25, 1, 18, "b"), "float8_e4m3fnuz": (26, 1, 18, "b"),
    "float8_e4m3b11fnuz": (27, 1, 18, "b"), "float8_e5m2fnuz": (28, 1, 18, "b"), "int4": (29, 1, 7, "v"), "uint4": (30, 1, 7, "v"),
    "int2": (31, 1, 7, "v"), "uint2": (32, 1, 7, "v"), "float4_e2m1fn": (33, 1, 18, "b"),
}


def typed(dtype, count):
    number, form = TYPES[dtype][2:]
    values = [1, -2, 300, 70000, 2**33 + 5, 0][:count]
    if form == "s":
        return b"".join(field(number, b"x" * (i + 1)) for i in range(count))
    if form == "b":
        return field(number, bytes([1, 0xFE, 0x7F, 0x80, 0x33, 0][:count]))
    if form == "v":
        return field(number, b"".join(varint(value) for value in values))
    return field(number, b"".join(struct.pack("<" + form, value / 4) for value in values))


def tensor_vectors():
    def one(message, dtype, **rest):
        return {"op": "parse_tensor", "in": h(message), "dtype": dtype, **rest}

    for dtype, (number, size, own, form) in TYPES.items():
        head = b"\x08" + varint(number)
        content = noise(4 * size) if size else b"\1\2\0\1abcd"
        if dtype == "bool":
            content = b"\0\1\1\0"
        yield one(head + dims([2, 2]) + field(4, content), dtype)
        yield one(head + dims([2, 2]) + field(4, content[:-1]), dtype)
        yield one(head + dims([2, 2]) + field(4, content + b"\0"), dtype)
        yield one(head + dims([]) + field(4, content), dtype)
        for count in (0, 1, 2, 4, 6):
            yield one(head + dims([4]) + typed(dtype, count), dtype)
        yield one(head + typed(dtype, 1), dtype)
        yield one(head, dtype)
        yield one(head + dims([0, 3]) + field(4, content), dtype)
        yield one(head + dims([2, 2]) + typed(dtype, 4) + field(4, content), dtype)
        yield one(head + dims([1]) + typed(dtype, 1), "int16" if dtype != "int16" else "uint16")
    for number in (0, 20, 21, 34, 40, 99, 101, 103, 109, 200, -1):
        yield one(b"\x08" + varint(number) + dims([1]) + field(4, b"\0\0\0\0"), "float32")
    f32 = b"\x08\x01"
    one_float = struct.pack("<f", 1.5)
    big = 2**53
    shapes = [
        [-1], [0, -1], [-1, 0], [0, big], [big, 0], [0, big - 1], [0, 2**62], [0, 2**63 - 1], [2**63 - 1, 0], [2**62, 2**62, 0], [0, 2**62, 2**62], [0, 2**32, 2**32],
        [2**32, 2**32], [2**62, 2], [2**62, 4], [1] * 254, [1] * 255, [0] * 254, [0] * 255, [1] * 8, [-2**63], [0, -2**63],
    ]
    for shape in shapes:
        yield one(f32 + dims(shape) + field(4, one_float), "float32")
        yield one(f32 + dims(shape), "float32") if 0 in shape or -1 in shape or len(shape) > 8 else one(
            f32 + dims(shape) + field(5, one_float), "float32")
    for rest in (
        b"", b"\x12\x02\x18\x01", b"\x12\x04\x18\x01\x12\x00", field(2, field(2, b"\x08\x01" + field(2, b"name"))), field(2, field(2, b"\x08\x01" + field(2, b"\xff"))),
        field(2, field(2, b"\x08\x02")) + field(2, field(2, b"\x08\x01")), field(2, b"\x12\x00"), b"\x18\x05", b"\x18\x7f" + dims([1]), b"\x20\x01",
        field(2, field(2, b"\x08\x02\x08\x01")),
    ):
        yield one(f32 + rest + field(5, one_float), "float32")
        yield one(field(5, one_float) + rest + f32, "float32")
    for message in (
        b"", b"\x08", b"\x08\x01\x12", b"\x0d\1\0\0\0", b"\x08\x01\x08\x03" + dims([1]) + field(7, b"\5"), f32 + b"\x2d" + one_float, f32 + b"\x2d" + one_float[:3],
        f32 + field(5, one_float[:3]), f32 + dims([2]) + b"\x2d" + one_float + field(5, one_float), f32 + b"\x29" + one_float * 2, f32 + b"\x28\x05",
        f32 + dims([1]) + field(4, one_float) + field(4, b""), f32 + field(4, b"") + field(5, one_float), f32 + field(99, b"abc"), f32 + b"\xa3\x06\x08\x01\xa4\x06",
        f32 + b"\x9b\x06\x9c\x06", f32 + b"\x9b\x06", f32 + b"\x9c\x06", f32 + b"\x07", f32 + b"\x00\x00", f32 + b"\x02\x00", f32 + field(14, b"abc"), f32 + field(15, b"\x08\x01"),
        f32 + field(8, b"x"), f32 + field(7, b"\1"), b"\x88\x00\x01", b"\x88\x80\x80\x80\x00\x01", b"\x88\x80\x80\x80\x80\x00\x01", b"\x08\x81\x80\x80\x80\x80\x80\x80\x80\x80\x00",
        b"\x08\x81\x80\x80\x80\x80\x80\x80\x80\x80\x7f", b"\x08\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", b"\x08" + varint(2**32 + 1), f32 + b"\x2a\x84\x80\x80\x80\x00" + one_float,
        f32 + b"\x2a\x84\x80\x80\x80\x80\x00" + one_float,
    ):
        yield one(message, "float32")
    for depth in (99, 100, 101):
        yield one(f32 + b"\x9b\x06" * depth + b"\x9c\x06" * depth, "float32")
    boolean = b"\x08\x0a"
    for content in (b"\2", b"\xff", b"\1"):
        yield one(boolean + dims([1]) + field(4, content), "bool")
    for value in (2, 256, 2**32, -1):
        yield one(boolean + dims([1]) + field(11, varint(value)), "bool")
    for value in (0x3F80, 0x13F80, -1, 2**31):
        yield one(b"\x08\x13" + dims([1]) + field(13, varint(value)), "float16")
        yield one(b"\x08\x0e" + dims([1]) + field(13, varint(value)), "bfloat16")
    text = b"\x08\x07"
    for content in (b"", b"\0", b"\1a", b"\2a", b"\1ab", b"\x80\x00", b"\x81\x00a", b"\x81\x80\x80\x80\x80\x00a", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01a", b"\xff\xff\xff\xff\x0f", b"\x81\x80\x80\x80\x70a"):
        yield one(text + dims([1]) + field(4, content), "bytes")
        yield one(text + dims([2]) + field(4, content + content), "bytes")
    yield one(b"\x08\x08" + dims([2]) + field(9, one_float * 3), "complex64")
    yield one(b"\x08\x08" + dims([2]) + field(9, one_float), "complex64")
    yield one(b"\x08\x12" + dims([2]) + field(12, struct.pack("<ddd", 1, 2, 3)), "complex128")


def serialize_vectors():
    def one(dtype, shape, data):
        return {"op": "serialize_tensor", "dtype": dtype, "shape": shape, "in": data}

    for dtype, (_, size, _, form) in TYPES.items():
        for shape in ([], [0], [3], [2, 0, 3], [1, 2, 1]):
            count = 1
            for extent in shape:
                count *= extent
            if form == "s":
                yield one(dtype, shape, [h(b"v%d\0" % i) for i in range(count)])
            elif dtype == "bool":
                yield one(dtype, shape, h(bytes(i & 1 for i in range(count))))
            elif size:
                yield one(dtype, shape, h(noise(count * size)))
    yield one("bytes", [2], ["", h("é" * 100)])
    yield one("int64", [200], h(bytes(1600)))
    yield one("uint8", [1] * 12, "07")
    yield one("uint8", [1] * 60, "07")
    yield one("uint8", [128, 0], "")


VECTORS = [csv_vectors, raw_vectors, compressed_vectors, json_vectors, tensor_vectors, serialize_vectors]

# ---- TensorFlow's side


def operations():
    import numpy as np
    import tensorflow as tf

    def dtype_of(name):
        return tf.string if name == "bytes" else tf.dtypes.as_dtype(name)

    def strings(value):
        if isinstance(value, str):
            return tf.constant(bytes.fromhex(value), tf.string)
        return tf.constant([bytes.fromhex(one) for one in value], tf.string, shape=[len(value)])

    def plain(tensor):
        shape = tensor.shape.as_list()
        if 0 in shape:
            return {"shape": shape, "data": [] if tensor.dtype == tf.string else ""}
        # NumPy has at most 64 dimensions.
        array = (tf.reshape(tensor, [-1]) if len(shape) > 64 else tensor).numpy()
        if tensor.dtype == tf.string:
            values = array.reshape(-1).tolist() if shape else [array]
            return {"shape": shape, "data": [value.hex() for value in values]}
        data = np.ascontiguousarray(array).tobytes()
        if tensor.dtype == tf.bool:
            data = bytes(byte != 0 for byte in data)
        name = tensor.dtype.name
        if name in ("int4", "int2", "uint4", "uint2"):
            data = bytes(value & 255 for value in np.asarray(array).astype(np.int8).reshape(-1).tolist())
        elif name == "float4_e2m1fn":
            data = bytes(byte & 15 for byte in data)
        return {"shape": shape, "data": data.hex()}

    def decode_csv(v):
        defaults = []
        for column in v["defaults"]:
            dtype, value = dtype_of(column["dtype"]), column.get("default")
            value = bytes.fromhex(value) if dtype == tf.string and value is not None else value
            defaults.append(tf.constant([] if value is None else [value], dtype))
        columns = tf.io.decode_csv(
            strings(v["in"]),
            defaults,
            field_delim=v.get("fieldDelim", ","),
            use_quote_delim=v.get("useQuoteDelim", True),
            na_value=bytes.fromhex(v.get("naValue", "")),
            select_cols=v.get("selectCols"),
        )
        return [plain(column) for column in columns]

    def decode_raw(v):
        return plain(
            tf.io.decode_raw(strings(v["in"]), dtype_of(v["outType"]), v["littleEndian"], fixed_length=v.get("fixedLength"))
        )

    def decode_compressed(v):
        return plain(tf.io.decode_compressed(strings(v["in"]), v["type"]))

    def decode_json_example(v):
        made = tf.io.decode_json_example(bytes.fromhex(v["in"])).numpy()
        # The same message, lists packed and names in order.
        return tf.train.Example.FromString(made).SerializeToString(deterministic=True).hex()

    def parse_tensor(v):
        return plain(tf.io.parse_tensor(bytes.fromhex(v["in"]), dtype_of(v["dtype"])))

    def serialize_tensor(v):
        dtype, shape = dtype_of(v["dtype"]), v["shape"]
        if dtype == tf.string:
            tensor = tf.reshape(strings(v["in"]), shape)
        else:
            values = np.frombuffer(bytes.fromhex(v["in"]), dtype.as_numpy_dtype)
            tensor = tf.reshape(tf.constant(values, dtype), shape)
        return tf.io.serialize_tensor(tensor).numpy().hex()

    return {
        one.__name__: one
        for one in (decode_csv, decode_raw, decode_compressed, decode_json_example, parse_tensor, serialize_tensor)
    }


def told(failure):
    text = re.sub(r"\{\{[^}]*\}\} *", "", str(failure)).split("\n")[0].split(" [Op:")[0]
    # Protobuf adds blanks and an address at random to its text.
    if isinstance(failure, UnicodeDecodeError):
        # Python's own error about TensorFlow's message, which quotes the input; its position differs from run to run.
        return "InvalidArgumentError"
    text = " ".join(re.sub(r"goo\.gle/debug\w*", "", text).split())
    return "%s: %s" % (type(failure).__name__, text[:MESSAGE_LENGTH])


def work():
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    answers = os.fdopen(os.dup(1), "w")
    # Other output must not come between the answers.
    os.dup2(2, 1)
    known = operations()
    for line in sys.stdin:
        vector = json.loads(line)
        try:
            answer = {"out": known[vector["op"]](vector)}
        except Exception as failure:  # pylint: disable=broad-except
            answer = {"error": told(failure)}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


class Worker:
    """Runs TensorFlow in a process that is started again after a crash."""

    def __init__(self):
        self.process = None

    def ask(self, vector):
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, __file__, "--work"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True,
            )
        self.process.stdin.write(json.dumps(vector) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        code, self.process = self.process.wait(), None
        return {"crash": -code}


def main():
    worker = Worker()
    seen, lines = set(), []
    for vectors in VECTORS:
        for vector in vectors():
            key = json.dumps(vector)
            if key not in seen:
                seen.add(key)
                lines.append(json.dumps({**vector, **worker.ask(vector)}, separators=(",", ":")))
    (GOLDEN / "decoders.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(len(lines), "vectors")


if __name__ == "__main__":
    work() if sys.argv[1:] == ["--work"] else main()
