"""Python's side of the tests of messages of any type: one request a line on
standard input (JSON), one answer a line on standard output.

    {"op": "load", "set": path of a set of descriptors}
        -> the names of its messages, those of google.protobuf left out
    {"op": "random", "type": name, "seed": int, "count": int}
        -> [{"bytes": hex, "json": what json_format prints}, ...]
    {"op": "parse", "type": name, "texts": [JSON, ...], "records": [hex, ...]}
        -> for each: true if both give the same message, else why not
"""

import json
import math
import random
import struct
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.descriptor import FieldDescriptor as F

pool = descriptor_pool.DescriptorPool()
messages = []

FLOATS = [0.0, -0.0, 1.0, -1.5, 0.1, 1e10, 16777217.0, 3.4028234663852886e38, 1e-45, math.nan, math.inf, -math.inf]
TEXTS = ["", "a", "é", "\U0001f600", "\u2028", "\0", '"\\', "<&>", "__proto__", "toString", "x" * 300]


def load(path):
    """Adds all files of the set, and lists the messages."""
    with open(path, "rb") as file:
        files = descriptor_pb2.FileDescriptorSet.FromString(file.read()).file
    for file in files:
        pool.Add(file)
    for file in files:
        if file.package.startswith("google"):
            continue
        for message in file.message_type:
            add(file.package, message)
    return messages


def add(prefix, message):
    if message.options.map_entry:
        return
    name = f"{prefix}.{message.name}"
    messages.append(name)
    for nested in message.nested_type:
        add(name, nested)


def is_map(field):
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def is_repeated(field):
    return field.is_repeated


def integer(rng, bits, signed):
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    choice = rng.randrange(4)
    if choice == 0:
        return rng.choice([low, high, 0, 1])
    if choice == 1:
        return rng.randint(max(low, -100), 100)
    # Its bytes may be digits, and its digits may be eight.
    if choice == 2:
        return min(high, rng.choice([12345678, 0x3132333435363738, 99999999]))
    return rng.randint(low, high)


def scalar(rng, field):
    kind = field.type
    if kind in (F.TYPE_INT32, F.TYPE_SINT32, F.TYPE_SFIXED32):
        return integer(rng, 32, True)
    if kind in (F.TYPE_UINT32, F.TYPE_FIXED32):
        return integer(rng, 32, False)
    if kind in (F.TYPE_INT64, F.TYPE_SINT64, F.TYPE_SFIXED64):
        return integer(rng, 64, True)
    if kind in (F.TYPE_UINT64, F.TYPE_FIXED64):
        return integer(rng, 64, False)
    if kind == F.TYPE_BOOL:
        return rng.random() < 0.5
    if kind == F.TYPE_STRING:
        return rng.choice(TEXTS)
    if kind == F.TYPE_BYTES:
        return rng.randbytes(rng.randrange(9))
    if kind == F.TYPE_FLOAT:
        if rng.random() < 0.5:
            return rng.choice(FLOATS)
        return struct.unpack("<f", rng.randbytes(4))[0]
    if kind == F.TYPE_DOUBLE:
        if rng.random() < 0.5:
            return rng.choice(FLOATS + [1e300, 5e-324])
        return struct.unpack("<d", rng.randbytes(8))[0]
    if kind == F.TYPE_ENUM:
        closed = field.enum_type.is_closed or field.enum_type.name == "NullValue"
        if not closed and rng.random() < 0.2:
            return rng.choice([99, -99])
        return rng.choice(field.enum_type.values).number
    raise ValueError(kind)


def well_known(rng, message, depth):
    name = message.DESCRIPTOR.full_name
    if name == "google.protobuf.Timestamp":
        message.seconds = rng.choice([0, -1, rng.randint(-62135596800, 253402300799)])
        message.nanos = rng.choice([0, 1, 1000, 500000000, rng.randrange(10**9)])
    elif name == "google.protobuf.Duration":
        sign = rng.choice([1, -1])
        message.seconds = sign * rng.choice([0, 1, rng.randint(0, 315576000000)])
        message.nanos = sign * rng.choice([0, 1, 1000, 500000000, rng.randrange(10**9)])
    elif name == "google.protobuf.FieldMask":
        message.paths.extend(rng.choice(["a", "user_name", "a.b_c", "photo.x1"]) for _ in range(rng.randrange(3)))
    elif name == "google.protobuf.Struct":
        for _ in range(rng.randrange(4)):
            well_known(rng, message.fields[rng.choice(TEXTS)], depth + 1)
    elif name == "google.protobuf.ListValue":
        for _ in range(rng.randrange(3)):
            well_known(rng, message.values.add(), depth + 1)
    elif name == "google.protobuf.Value":
        kind = rng.randrange(6 if depth < 4 else 4)
        if kind == 0:
            message.null_value = 0
        elif kind == 1:
            message.number_value = rng.choice([0.0, -0.0, 1.5, 1e300, -3.0])
        elif kind == 2:
            message.string_value = rng.choice(TEXTS)
        elif kind == 3:
            message.bool_value = rng.random() < 0.5
        elif kind == 4:
            message.struct_value.SetInParent()
            well_known(rng, message.struct_value, depth + 1)
        else:
            message.list_value.SetInParent()
            well_known(rng, message.list_value, depth + 1)
    elif name == "google.protobuf.Any":
        if rng.random() < 0.8 and depth < 3:
            names = messages + ["google.protobuf.Duration", "google.protobuf.Int64Value", "google.protobuf.Struct"]
            inner = create(rng.choice(names))
            fill(rng, inner, depth + 1)
            message.Pack(inner, deterministic=True)
    else:
        return False
    return True


def fill(rng, message, depth=0):
    if well_known(rng, message, depth):
        return
    descriptor = message.DESCRIPTOR
    taken = set()
    for field in list(descriptor.fields) + list(pool.FindAllExtensions(descriptor)):
        oneof = field.containing_oneof
        if oneof is not None and oneof.name in taken:
            continue
        required = field.is_required
        if not required and rng.random() < (0.3 if depth < 3 else 0.8):
            continue
        if field.message_type is not None and depth >= 4 and not required:
            continue
        if oneof is not None:
            taken.add(oneof.name)
        set_field(rng, message, field, depth)


def set_field(rng, message, field, depth):
    extension = field.is_extension
    count = rng.randrange(1, 4)
    if is_map(field):
        entries = getattr(message, field.name)
        key, value = (field.message_type.fields_by_name[name] for name in ("key", "value"))
        for _ in range(count):
            if value.message_type is not None:
                fill(rng, entries[scalar(rng, key)], depth + 1)
            else:
                entries[scalar(rng, key)] = scalar(rng, value)
    elif is_repeated(field):
        values = message.Extensions[field] if extension else getattr(message, field.name)
        for _ in range(count):
            if field.message_type is not None:
                fill(rng, values.add(), depth + 1)
            else:
                values.append(scalar(rng, field))
    elif field.message_type is not None:
        inner = message.Extensions[field] if extension else getattr(message, field.name)
        inner.SetInParent()
        fill(rng, inner, depth + 1)
    elif extension:
        message.Extensions[field] = scalar(rng, field)
    else:
        setattr(message, field.name, scalar(rng, field))


def create(name):
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))()


def to_json(message):
    return json_format.MessageToJson(message, indent=None, descriptor_pool=pool)


def randoms(name, seed, count):
    rng = random.Random(f"{name} {seed}")
    found = []
    for _ in range(count):
        message = create(name)
        fill(rng, message)
        # A field that the definitions do not have.
        extra = bytes.fromhex("c2bb0103616263") if rng.random() < 0.3 else b""
        found.append({"bytes": (message.SerializeToString(deterministic=True) + extra).hex(), "json": to_json(message)})
    return found


def parse(name, text, record):
    try:
        of_text = json_format.Parse(text, create(name), descriptor_pool=pool)
        of_record = create(name)
        of_record.ParseFromString(bytes.fromhex(record))
    except Exception as error:  # pylint: disable=broad-except
        return f"{type(error).__name__}: {error}"
    of_record.DiscardUnknownFields()
    same = of_text.SerializeToString(deterministic=True) == of_record.SerializeToString(deterministic=True)
    # An Any has the maps in it as bytes, in any order.
    ours, theirs = json.loads(to_json(of_text)), json.loads(to_json(of_record))
    return same or ours == theirs or f"{ours} is not {theirs}"


for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "load":
        answer = load(request["set"])
    elif request["op"] == "random":
        answer = randoms(request["type"], request["seed"], request["count"])
    else:
        pairs = zip(request["texts"], request["records"])
        answer = [parse(request["type"], text, record) for text, record in pairs]
    print(json.dumps(answer), flush=True)
