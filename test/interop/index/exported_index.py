"""Reads pieces of a GZIP file by an index that it imports: FILE INDEX OFFSET LENGTH ... prints the SHA-256 of each piece."""
import hashlib
import sys

import indexed_gzip

path, index = sys.argv[1:3]
with indexed_gzip.IndexedGzipFile(path, index_file=index, auto_build=False) as file:
    for offset, length in zip(sys.argv[3::2], sys.argv[4::2]):
        file.seek(int(offset))
        print(hashlib.sha256(file.read(int(length))).hexdigest())
