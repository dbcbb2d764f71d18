import { constants, deflateRawSync, deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';

import { append, cut, flipBit, frame, offsets, tfrecord, wholeRecords } from '../support/records/tfrecord';
import type { DamageCase } from './damage-case';

const FOO = 'foo';
const DEFGH = 'defgh';
const TWO = [FOO, DEFGH];
const PLAIN = tfrecord(TWO);
const PLACES = offsets(TWO);
const END = PLAIN.length;
const GZIP = gzipSync(PLAIN);
const ZLIB = deflateSync(PLAIN);
const GZIP_TRAILER = 8;

/** Returns the case of a plain file cut to `kept` bytes. */
function plainCut(kept: number): DamageCase {
  const record = PLACES.findLastIndex((place) => place <= kept);
  const whole = PLACES[record] === kept;
  return {
    name: `plain, ${kept} of ${END} bytes`,
    bytes: cut(PLAIN, kept),
    expected: {
      records: TWO.slice(0, record),
      ...(whole ? {} : { code: 'TFR_TRUNCATED', record, offset: PLACES[record]! }),
    },
  };
}

/** Returns the case of a compressed file cut to `kept` bytes, at least its magic. Whole inflated records come first. */
function compressedCut(name: string, file: Buffer, kept: number, inflate: typeof gunzipSync): DamageCase {
  const bytes = cut(file, kept);
  let inflated: Buffer;
  try {
    inflated = inflate(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    inflated = Buffer.alloc(0);
  }
  const record = wholeRecords(inflated).length;
  return {
    name: `${name}, ${kept} of ${file.length} bytes`,
    bytes,
    expected: { records: TWO.slice(0, record), code: 'TFR_TRUNCATED', record, offset: PLACES[record]! },
  };
}

/** Returns a gzip member with every optional field. */
function fullHeader(content: Buffer): Buffer {
  const flags = 4 | 8 | 16; // extra, name, comment
  const fixed = Buffer.from([0x1f, 0x8b, 8, flags, 1, 2, 3, 4, 0, 3]);
  const fields = Buffer.concat([Buffer.from([4, 0, 65, 66, 0, 0]), Buffer.from('name\0'), Buffer.from('comment\0')]);
  return Buffer.concat([fixed, fields, deflateRawSync(content), gzipSync(content).subarray(-GZIP_TRAILER)]);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** Damage of the codec's stream, and undamaged streams that other readers read wrongly. */
export const STREAM_DAMAGE: readonly DamageCase[] = [
  ...range(0, END + 1).map(plainCut),
  ...range(3, GZIP.length).map((kept) => compressedCut('gzip', GZIP, kept, gunzipSync)),
  ...range(2, ZLIB.length).map((kept) => compressedCut('zlib', ZLIB, kept, inflateSync)),

  // Several streams, one after the other
  { name: 'gzip members', bytes: append(gzipSync(frame(FOO)), gzipSync(frame(DEFGH))), expected: { records: TWO } },
  {
    name: 'zlib streams',
    bytes: append(deflateSync(frame(FOO)), deflateSync(frame(DEFGH))),
    expected: { records: TWO },
  },
  {
    name: 'empty gzip members before, between and behind',
    bytes: Buffer.concat([gzipSync(''), gzipSync(frame(FOO)), gzipSync(''), gzipSync(frame(DEFGH)), gzipSync('')]),
    expected: { records: TWO },
  },
  {
    name: 'a member that ends within a record',
    bytes: append(gzipSync(PLAIN.subarray(0, 25)), gzipSync(PLAIN.subarray(25))),
    expected: { records: TWO },
  },
  { name: 'a gzip header with every field', bytes: fullHeader(PLAIN), expected: { records: TWO } },
  { name: 'an empty gzip member', bytes: gzipSync(''), expected: { records: [] } },
  { name: 'an empty zlib stream', bytes: deflateSync(''), expected: { records: [] } },
  {
    name: 'the second of two gzip members cut',
    bytes: cut(append(gzipSync(frame(FOO)), gzipSync(frame(DEFGH))), -3),
    expected: { records: TWO, code: 'TFR_TRUNCATED', record: 2, offset: END },
  },

  // Bytes after the last stream
  ...['\0', '\n', '\0\0\0\0', 'garbage that is long enough'].flatMap((extra) =>
    [GZIP, ZLIB].map((file, index) => ({
      name: `${JSON.stringify(extra)} behind ${index === 0 ? 'gzip' : 'zlib'}`,
      bytes: append(file, Buffer.from(extra)),
      expected: { records: TWO, code: 'TFR_TRAILING_DATA', record: 2, offset: END },
    })),
  ),
  {
    name: 'stop accepts what is behind gzip',
    bytes: append(GZIP, Buffer.from('garbage')),
    options: () => ({ onError: 'stop' }),
    expected: { records: TWO },
  },
  {
    name: 'stop accepts a missing trailer',
    bytes: cut(GZIP, -GZIP_TRAILER),
    options: () => ({ onError: 'stop' }),
    expected: { records: TWO },
  },

  // Wrong checksums and sizes, damaged deflate
  {
    name: 'a wrong CRC32 in the gzip trailer',
    bytes: flipBit(GZIP, GZIP.length - 8),
    expected: { records: TWO, code: 'TFR_COMPRESSION', record: 2, offset: END },
  },
  {
    name: 'a wrong size in the gzip trailer',
    bytes: flipBit(GZIP, GZIP.length - 1),
    expected: { records: TWO, code: 'TFR_COMPRESSION', record: 2, offset: END },
  },
  {
    name: 'a wrong Adler-32',
    bytes: flipBit(ZLIB, ZLIB.length - 1),
    expected: { records: TWO, code: 'TFR_COMPRESSION', record: 2, offset: END },
  },
  {
    name: 'a block type that does not exist',
    bytes: flipBit(flipBit(GZIP, 10, 1), 10, 2).fill(0xff, 10, 11),
    expected: { records: [], code: 'TFR_COMPRESSION', record: 0, offset: 0 },
  },
  {
    name: 'reserved flags in a gzip header',
    bytes: flipBit(GZIP, 3, 7),
    expected: { records: [], code: 'TFR_COMPRESSION', record: 0, offset: 0 },
  },

  // Compression named by the caller
  ...(
    [
      ['gzip', PLAIN, 'plain'],
      ['zlib', PLAIN, 'plain'],
      ['none', GZIP, 'gzip'],
      ['none', ZLIB, 'zlib'],
      ['gzip', ZLIB, 'zlib'],
      ['zlib', GZIP, 'gzip'],
      ['gzip', Buffer.from('<html>nothing here</html>'), 'HTML'],
    ] as const
  ).map(([compression, bytes, content]): DamageCase => ({
    name: `compression ${compression}, content ${content}`,
    bytes,
    options: () => ({ compression }),
    expected: { records: [], code: 'TFR_COMPRESSION', record: 0, offset: 0 },
  })),
  ...(
    [
      ['none', PLAIN],
      ['gzip', GZIP],
      ['zlib', ZLIB],
    ] as const
  ).map(([compression, bytes]): DamageCase => ({
    name: `compression ${compression}, rightly`,
    bytes,
    options: () => ({ compression }),
    expected: { records: TWO },
  })),
  ...(['none', 'gzip', 'zlib'] as const).map((compression): DamageCase => ({
    name: `compression ${compression}, an empty file`,
    bytes: Buffer.alloc(0),
    options: () => ({ compression }),
    expected: { records: [] },
  })),

  // Plain files whose first bytes look like those of a codec
  {
    name: 'plain, starts like zlib',
    bytes: tfrecord(['z'.repeat(40_056)]),
    expected: { records: ['z'.repeat(40_056)] },
  },
  {
    name: 'plain, starts like gzip',
    bytes: tfrecord(['g'.repeat(559_903)]),
    expected: { records: ['g'.repeat(559_903)] },
  },
];
