"""The rows of pyarrow's tables in a form that JSON has."""

import struct


def plain(value):
    """Bytes in hex, floats as their 32 bits in hex, integers as their digits."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float):
        return struct.pack(">f", value).hex()
    if isinstance(value, list):
        return [plain(item) for item in value]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def rows_of(table):
    table.validate(full=True)
    return [{name: plain(value) for name, value in row.items()} for row in table.to_pylist()]


def text_of(metadata):
    return {key.decode(): value.decode() for key, value in (metadata or {}).items()}
