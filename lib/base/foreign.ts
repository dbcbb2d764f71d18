/** Advice about files that are not TFRecords, by the names that native code gives them (native/core/content/kind/signature.cc). */

/** Advice for all that has none of its own. */
const CHECK_PATH = 'Check the path, or convert the file first.';
const DECOMPRESS = 'Decompress it first: only GZIP and ZLIB are read.';
const FRAME = 'It lacks the length and the checksums of a record, which RecordWriter adds.';
const LOST_HEAD =
  'If bytes are missing, restore the file. If it is a message that was never framed, RecordWriter adds the length and the ' +
  'checksums of a record.';
const BESIDE = 'Name the file that lies beside it.';

const ADVICE: ReadonlyMap<string, string> = new Map([
  ['a serialized Example without framing', FRAME],
  ['a serialized SequenceExample without framing', FRAME],
  ['a serialized Example without framing, or a TFRecord file that lost its first bytes', LOST_HEAD],
  ['a serialized SequenceExample without framing, or a TFRecord file that lost its first bytes', LOST_HEAD],
  [
    'a Riegeli or ArrayRecord file',
    'Read it with the array_record or riegeli package, and write its records as TFRecords.',
  ],
  ['AppleDouble metadata of macOS', BESIDE],
  ['a Hadoop checksum file (.crc)', BESIDE],
  ['the index of a TFRecord file', BESIDE],
  ['gzip data in a compressed file', 'It was compressed twice: decompress it once.'],
  ['zlib data in a compressed file', 'It was compressed twice: decompress it once.'],
  ...[
    'bzip2 data',
    'xz data',
    'Zstandard data',
    'LZ4 data',
    'framed Snappy data',
    'raw Snappy data',
    'Snappy data of snappy-java',
    'Snappy data of TensorFlow',
    'Snappy data of Hadoop',
  ].map((name): [string, string] => [name, DECOMPRESS]),
]);

/** Returns advice for a file that looks like `name`. */
export function foreignAdvice(name: string): string {
  return ADVICE.get(name) ?? CHECK_PATH;
}

/** True if a file that looks like `name` may be a damaged TFRecord file. */
export function isPerhapsDamaged(name: string): boolean {
  return ADVICE.get(name) === LOST_HEAD;
}

/** Content that `compression: 'auto'` reads, as native code names it. */
const READABLE: ReadonlySet<string> = new Set([
  'gzip data',
  'zlib data',
  'an uncompressed TFRecord file',
  'uncompressed data',
]);

/** True if `compression: 'auto'` reads content that is called `name`. */
export function isReadable(name: string): boolean {
  return READABLE.has(name);
}
