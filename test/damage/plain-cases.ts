import {
  append,
  claimLength,
  cut,
  flipBit,
  frame,
  header,
  insert,
  offsets,
  tfrecord,
} from '../support/records/tfrecord';
import { encodeExample } from '../../lib';
import type { DamageCase } from './damage-case';

const FIVE = ['zero', 'first record', '', 'the third', 'x'.repeat(300)];
const FILE = tfrecord(FIVE);
const AT = offsets(FIVE);
const END = FILE.length;
const at = (record: number): number => AT[record]!;

function text(content: string): Buffer {
  return Buffer.from(content);
}

/** Returns a file of `records` whose writer left all checksums out. */
function unsummed(records: readonly string[]): Buffer {
  const parts = records.map((data) => {
    const framed = frame(data);
    framed.fill(0, 8, 12);
    framed.fill(0, framed.length - 4);
    return framed;
  });
  return Buffer.concat(parts);
}

/** Returns a case of content that is not a TFRecord file. */
function foreign(name: string, bytes: Buffer): DamageCase {
  return { name, bytes, expected: { records: [], code: 'TFR_NOT_TFRECORD', record: 0, offset: 0 } };
}

/** Damage of the uncompressed stream, with the same outcome in every codec. */
export const PLAIN_DAMAGE: readonly DamageCase[] = [
  { name: 'none', bytes: FILE, expected: { records: FIVE } },
  { name: 'no records', bytes: Buffer.alloc(0), expected: { records: [] } },
  ...[1, 3, 11].map((count) => ({
    name: `${count} stray bytes behind the last record`,
    bytes: append(FILE, Buffer.alloc(count, 7)),
    expected: { records: FIVE, code: 'TFR_TRUNCATED', record: 5, offset: END },
  })),
  ...[12, 500].map((count) => ({
    name: `${count} bytes of garbage behind the last record`,
    bytes: append(FILE, Buffer.alloc(count, 7)),
    expected: { records: FIVE, code: 'TFR_CORRUPT_LENGTH', record: 5, offset: END },
  })),
  {
    name: 'zeros behind the last record',
    bytes: append(FILE, Buffer.alloc(64)),
    expected: { records: FIVE, code: 'TFR_CORRUPT_LENGTH', record: 5, offset: END },
  },
  {
    name: 'the last record cut by a byte',
    bytes: cut(FILE, -1),
    expected: { records: FIVE.slice(0, 4), code: 'TFR_TRUNCATED', record: 4, offset: at(4) },
  },
  {
    name: 'the last record cut in its header',
    bytes: cut(FILE, at(4) + 6),
    expected: { records: FIVE.slice(0, 4), code: 'TFR_TRUNCATED', record: 4, offset: at(4) },
  },
  {
    name: 'a flipped bit of a length',
    bytes: flipBit(FILE, at(3) + 1, 5),
    expected: { records: FIVE.slice(0, 3), code: 'TFR_CORRUPT_LENGTH', record: 3, offset: at(3) },
  },
  {
    name: 'a flipped bit of a length checksum',
    bytes: flipBit(FILE, at(1) + 9, 7),
    expected: { records: FIVE.slice(0, 1), code: 'TFR_CORRUPT_LENGTH', record: 1, offset: at(1) },
  },
  {
    name: 'a flipped payload bit',
    bytes: flipBit(FILE, at(3) + 12, 3),
    expected: { records: FIVE.slice(0, 3), code: 'TFR_CORRUPT_DATA', record: 3, offset: at(3) },
  },
  {
    name: 'a flipped bit of a data checksum',
    bytes: flipBit(FILE, END - 1, 0),
    expected: { records: FIVE.slice(0, 4), code: 'TFR_CORRUPT_DATA', record: 4, offset: at(4) },
  },
  {
    name: 'a flipped bit of the checksum of an empty record',
    bytes: flipBit(FILE, at(2) + 12, 0),
    expected: { records: FIVE.slice(0, 2), code: 'TFR_CORRUPT_DATA', record: 2, offset: at(2) },
  },
  {
    name: 'a byte inserted into a payload',
    bytes: insert(FILE, at(1) + 14, text('!')),
    expected: { records: FIVE.slice(0, 1), code: 'TFR_CORRUPT_DATA', record: 1, offset: at(1) },
  },
  {
    name: 'the first record damaged in its data',
    bytes: flipBit(FILE, 12, 0),
    expected: { records: [], code: 'TFR_CORRUPT_DATA', record: 0, offset: 0 },
  },
  {
    name: 'binary garbage from the start',
    bytes: Buffer.from(Array.from({ length: 64 }, (_, i) => (i * 97 + 131) & 255)),
    expected: { records: [], code: 'TFR_CORRUPT_LENGTH', record: 0, offset: 0 },
  },
  ...[2n ** 40n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 31n].map((length) => ({
    name: `a record that announces ${length} bytes`,
    bytes: claimLength(FILE, at(2), length),
    expected: { records: FIVE.slice(0, 2), code: 'TFR_RECORD_TOO_LARGE', record: 2, offset: at(2) },
  })),
  {
    name: 'a record that announces more than is left',
    bytes: claimLength(FILE, at(3), 2 ** 31 - 1),
    expected: { records: FIVE.slice(0, 3), code: 'TFR_TRUNCATED', record: 3, offset: at(3) },
  },
  {
    name: 'a record over maxRecordBytes',
    bytes: FILE,
    options: () => ({ maxRecordBytes: 299 }),
    expected: { records: FIVE.slice(0, 4), code: 'TFR_RECORD_TOO_LARGE', record: 4, offset: at(4) },
  },
  {
    name: 'a record of maxRecordBytes',
    bytes: FILE,
    options: () => ({ maxRecordBytes: 300 }),
    expected: { records: FIVE },
  },
  {
    name: 'a record over maxRecordBytes that is cut as well',
    bytes: cut(FILE, at(4) + 20),
    options: () => ({ maxRecordBytes: 200 }),
    expected: { records: FIVE.slice(0, 4), code: 'TFR_RECORD_TOO_LARGE', record: 4, offset: at(4) },
  },
  {
    name: 'two damaged records: the first wins',
    bytes: flipBit(flipBit(FILE, at(1) + 13), at(4) + 13),
    expected: { records: FIVE.slice(0, 1), code: 'TFR_CORRUPT_DATA', record: 1, offset: at(1) },
  },
  {
    name: 'a damaged record before a cut: the first wins',
    bytes: cut(flipBit(FILE, at(1) + 13), -1),
    expected: { records: FIVE.slice(0, 1), code: 'TFR_CORRUPT_DATA', record: 1, offset: at(1) },
  },

  // skip, stop and functions
  {
    name: 'skip: exactly the damaged record is lost',
    bytes: flipBit(FILE, at(3) + 12, 3),
    options: () => ({ onError: 'skip' }),
    expected: { records: FIVE.filter((_, index) => index !== 3) },
  },
  {
    name: 'skip: damaged records side by side and at both ends',
    bytes: [0, 1, 4].reduce((bytes, record) => flipBit(bytes, at(record) + 12), FILE),
    options: () => ({ onError: 'skip' }),
    expected: { records: [FIVE[2]!, FIVE[3]!] },
  },
  {
    name: 'skip: a record that is too large is passed over',
    bytes: append(FILE, frame('behind')),
    options: () => ({ onError: 'skip', maxRecordBytes: 100 }),
    expected: { records: [...FIVE.slice(0, 4), 'behind'] },
  },
  {
    name: 'skip: a huge claim gives up the rest',
    bytes: claimLength(FILE, at(2), 2n ** 40n),
    options: () => ({ onError: 'skip' }),
    expected: { records: FIVE.slice(0, 2) },
  },
  {
    name: 'skip: a damaged length gives up the rest',
    bytes: flipBit(FILE, at(3) + 8),
    options: () => ({ onError: 'skip' }),
    expected: { records: FIVE.slice(0, 3) },
  },
  {
    name: 'skip: a cut gives up the rest',
    bytes: cut(FILE, at(4) + 20),
    options: () => ({ onError: { action: 'skip' } }),
    expected: { records: FIVE.slice(0, 4) },
  },
  {
    name: 'skip: the second skip passes max',
    bytes: flipBit(flipBit(FILE, at(1) + 13), at(3) + 13),
    options: () => ({ onError: { action: 'skip', max: 1 } }),
    expected: { records: [FIVE[0]!, FIVE[2]!], code: 'TFR_CORRUPT_DATA', record: 3, offset: at(3) },
  },
  {
    name: 'stop: what came before is all there is',
    bytes: flipBit(FILE, at(3) + 12),
    options: () => ({ onError: 'stop' }),
    expected: { records: FIVE.slice(0, 3) },
  },
  {
    name: 'stop at a cut',
    bytes: cut(FILE, -2),
    options: () => ({ onError: 'stop' }),
    expected: { records: FIVE.slice(0, 4) },
  },
  {
    name: 'a function that skips the first and throws at the second',
    bytes: flipBit(flipBit(FILE, at(1) + 13), at(3) + 13),
    options: () => ({ onError: (error) => (error.record === 1 ? 'skip' : 'throw') }),
    expected: { records: [FIVE[0]!, FIVE[2]!], code: 'TFR_CORRUPT_DATA', record: 3, offset: at(3) },
  },

  // verify
  {
    name: 'verify length: damaged data is delivered',
    bytes: flipBit(FILE, at(1) + 12 + 11),
    options: () => ({ verify: 'length' }),
    expected: { records: FIVE.map((data, index) => (index === 1 ? 'first recore' : data)) },
  },
  {
    name: 'verify length: lengths are still checked',
    bytes: flipBit(FILE, at(1) + 8),
    options: () => ({ verify: 'length' }),
    expected: { records: FIVE.slice(0, 1), code: 'TFR_CORRUPT_LENGTH', record: 1, offset: at(1) },
  },
  {
    name: 'verify none: wrong checksums of lengths pass too',
    bytes: flipBit(flipBit(FILE, at(1) + 8), at(2) + 12),
    options: () => ({ verify: 'none' }),
    expected: { records: FIVE },
  },
  {
    name: 'verify none: a cut is still a cut',
    bytes: cut(FILE, -1),
    options: () => ({ verify: 'none' }),
    expected: { records: FIVE.slice(0, 4), code: 'TFR_TRUNCATED', record: 4, offset: at(4) },
  },

  // small slabs
  {
    name: 'records larger than the slab, the second damaged',
    bytes: flipBit(tfrecord(['a'.repeat(9000), 'b'.repeat(9000), 'c'.repeat(20000)]), 9016 + 12 + 8999),
    options: () => ({ batchBytes: 4096, onError: 'skip' }),
    expected: { records: ['a'.repeat(9000), 'c'.repeat(20000)] },
  },
  {
    name: 'a record larger than the slab, cut',
    bytes: cut(tfrecord(['a'.repeat(5000), 'b'.repeat(70000)]), -1),
    options: () => ({ batchBytes: 4096 }),
    expected: { records: ['a'.repeat(5000)], code: 'TFR_TRUNCATED', record: 1, offset: 5016 },
  },

  // content that is not a TFRecord file
  foreign('a zip archive', append(text('PK\x03\x04'), Buffer.alloc(60, 1))),
  foreign('a Parquet file', append(text('PAR1'), Buffer.alloc(60, 0x15))),
  foreign('an HTML page', text('<!DOCTYPE html>\n<html><body>Not found</body></html>\n')),
  foreign('text of a few bytes', text('a,b\n1,2\n')),
  foreign('text of two bytes', text('{}')),
  foreign('text', text('one,two,three\n1,2,3\n')),
  foreign('a Git LFS pointer', text('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n')),
  foreign('zeros', Buffer.alloc(100)),
  foreign('an Example without framing', Buffer.from(encodeExample({ id: [7n], name: 'a name' }))),
  foreign(
    'a file that lost its first 12 bytes, before a long Example',
    tfrecord([
      encodeExample({ id: [7n], name: 'a name', values: Float32Array.from({ length: 300 }, (_, i) => i / 3) }),
    ]).subarray(12),
  ),
  foreign('metadata of macOS', append(text('\0\x05\x16\x07\0\x02\0\0Mac OS X        '), Buffer.alloc(60))),
  foreign('checksums of Hadoop', text('crc\0\0\0\x02\0\x11\x22\x33\x44')),
  foreign('one checksum of Hadoop, cut', text('crc\0\0\0\x02\0\x11')),
  foreign('UTF-16', Buffer.from('\ufeffid,name\r\n1,é\r\n', 'utf16le')),
  {
    name: 'checksums of 0',
    bytes: unsummed(FIVE),
    expected: { records: [], code: 'TFR_CORRUPT_LENGTH', record: 0, offset: 0 },
  },
  {
    name: 'verify none: checksums of 0',
    bytes: unsummed(FIVE),
    options: () => ({ verify: 'none' }),
    expected: { records: FIVE },
  },
  {
    name: 'a header alone',
    bytes: header(5),
    expected: { records: [], code: 'TFR_TRUNCATED', record: 0, offset: 0 },
  },
];
