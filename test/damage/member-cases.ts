import { gzipSync } from 'node:zlib';

import {
  append,
  claimLength,
  cut,
  flipBit,
  frame,
  insert,
  offsets,
  ownMember,
  tfrecord,
} from '../support/records/tfrecord';
import type { DamageCase } from './damage-case';

/** Contents of 64 KiB and more, for which members are inflated in parallel. */
const LONG = ['a', 'b', 'c'].map((letter) => letter.repeat(66_000));
const RECORDS = LONG.flatMap((long, index) => [`first of ${index}`, long, `last of ${index}`]);
const EACH = 3;
const CONTENTS = LONG.map((_, index) => tfrecord(RECORDS.slice(index * EACH, (index + 1) * EACH)));
const MEMBERS = CONTENTS.map((content) => ownMember(content, EACH));
const FILE = Buffer.concat(MEMBERS);
const PLACES = offsets(RECORDS);

/** Offsets of fields in a member's header, and of those in its trailer, from its end. */
const RESERVED_FLAGS = 3;
const XLEN = 10;
const SUBFIELD = 12;
const MEMBER_BYTES = 16;
const COUNT = 24;
const BLOCK = 28;
const CRC32 = -8;
const ISIZE = -4;

const member = (index: number): Buffer => MEMBERS[index]!;
const start = (index: number): number => MEMBERS.slice(0, index).reduce((sum, { length }) => sum + length, 0);

/** Returns the file with its middle member changed. */
function middle(change: (bytes: Buffer) => Buffer): Buffer {
  return Buffer.concat([member(0), change(Buffer.from(member(1))), member(2)]);
}

function patched(bytes: Buffer, at: number, patch: readonly number[]): Buffer {
  bytes.set(patch, at < 0 ? bytes.length + at : at);
  return bytes;
}

function claim(memberBytes: bigint): (bytes: Buffer) => Buffer {
  return (bytes) => {
    bytes.writeBigUInt64LE(memberBytes, MEMBER_BYTES);
    return bytes;
  };
}

/** Returns a case in which damage has no effect. */
function harmless(name: string, bytes: Buffer): DamageCase {
  return { name, bytes, expected: { records: RECORDS } };
}

/** Returns a case in which reading ends with `code` before record `record`. */
function ends(name: string, bytes: Buffer, code: string, record: number): DamageCase {
  return {
    name,
    bytes,
    expected: { records: RECORDS.slice(0, record), code, record, offset: PLACES[record]! },
  };
}

/** Returns the file with damaged records in its middle member. */
function records(change: (content: Buffer) => Buffer): Buffer {
  return middle(() => ownMember(change(CONTENTS[1]!), EACH));
}
const within = (record: number): number => PLACES[record]! - PLACES[EACH]!;

const LENGTH = BigInt(member(1).length);

/** Files of several members in our own layout, which native threads inflate in parallel if possible. */
export const MEMBER_DAMAGE: readonly DamageCase[] = [
  harmless('none', FILE),

  // Wrong sizes, which are not needed for reading
  ...[
    0n,
    1n,
    36n,
    LENGTH - 1n,
    LENGTH + 1n,
    LENGTH + BigInt(member(2).length),
    2n ** 32n,
    2n ** 63n,
    2n ** 64n - 1n,
  ].map((bytes) => harmless(`a member that says it has ${bytes} bytes`, middle(claim(bytes)))),
  ...[0, 1, 2 ** 31].map((count) =>
    harmless(
      `a member that says it has ${count} records`,
      middle((bytes) => (bytes.writeUInt32LE(count, COUNT), bytes)),
    ),
  ),
  harmless(
    'a subfield of another name',
    middle((bytes) => patched(bytes, SUBFIELD, [0x58])),
  ),
  harmless(
    'a subfield of another length',
    middle((bytes) => patched(bytes, SUBFIELD + 2, [0xff, 0xff])),
  ),
  harmless(
    'a time, and another system',
    middle((bytes) => patched(bytes, 4, [1, 2, 3, 4, 5, 6])),
  ),

  // The header
  ends(
    'another magic number',
    middle((bytes) => patched(bytes, 0, [0x1e])),
    'TFR_TRAILING_DATA',
    EACH,
  ),
  ends(
    'another method',
    middle((bytes) => patched(bytes, 2, [7])),
    'TFR_TRAILING_DATA',
    EACH,
  ),
  ends(
    'reserved flags',
    middle((bytes) => flipBit(bytes, RESERVED_FLAGS, 6)),
    'TFR_COMPRESSION',
    EACH,
  ),
  ends(
    'an extra field over the rest of the file',
    middle((bytes) => patched(bytes, XLEN, [0xff, 0xff])),
    'TFR_TRUNCATED',
    EACH,
  ),

  // The block and the trailer
  ends(
    'a block type that does not exist',
    middle((bytes) => patched(bytes, BLOCK, [0xff])),
    'TFR_COMPRESSION',
    EACH,
  ),
  ends(
    'a wrong CRC32',
    middle((bytes) => flipBit(bytes, bytes.length + CRC32)),
    'TFR_COMPRESSION',
    2 * EACH,
  ),
  ...[0, 1, 65_536, 2 ** 22, 2 ** 32 - 1].map((size) =>
    ends(
      `a size of ${size}`,
      middle((bytes) => (bytes.writeUInt32LE(size, bytes.length + ISIZE), bytes)),
      'TFR_COMPRESSION',
      2 * EACH,
    ),
  ),

  // Bytes between members and after them
  ...['\0', '\n', 'garbage that is long enough to be a member of ours'].flatMap((extra) => [
    ends(
      `${JSON.stringify(extra)} between members`,
      insert(FILE, start(1), Buffer.from(extra)),
      'TFR_TRAILING_DATA',
      EACH,
    ),
    ends(
      `${JSON.stringify(extra)} behind members`,
      append(FILE, Buffer.from(extra)),
      'TFR_TRAILING_DATA',
      RECORDS.length,
    ),
  ]),
  harmless('an empty member between', insert(FILE, start(1), ownMember(Buffer.alloc(0), 0))),
  harmless('an empty member of others between', insert(FILE, start(2), gzipSync(''))),
  harmless('members of others and of ours', Buffer.concat([member(0), gzipSync(CONTENTS[1]!), member(2)])),
  harmless(
    'members that end within records',
    Buffer.concat(
      [Buffer.concat(CONTENTS)].flatMap((all) => [
        ownMember(all.subarray(0, 70_000), 2),
        ownMember(all.subarray(70_000), 6),
      ]),
    ),
  ),

  // Cuts
  ...[1, 11, 20, BLOCK].map((kept) =>
    ends(`${kept} bytes of the last member`, cut(FILE, start(2) + kept), 'TFR_TRUNCATED', 2 * EACH),
  ),
  ...[1, 4, 8].map((missing) =>
    ends(`the last member without ${missing} bytes`, cut(FILE, -missing), 'TFR_TRUNCATED', RECORDS.length),
  ),
  {
    name: 'stop accepts a cut trailer',
    bytes: cut(FILE, -3),
    options: () => ({ onError: 'stop' }),
    expected: { records: RECORDS },
  },

  // Records
  ends(
    'a flipped payload bit',
    records((content) => flipBit(content, within(4) + 30_000)),
    'TFR_CORRUPT_DATA',
    4,
  ),
  ends(
    'a flipped bit of a length',
    records((content) => flipBit(content, within(5) + 2)),
    'TFR_CORRUPT_LENGTH',
    5,
  ),
  ends(
    'a record that announces more than is left',
    records((content) => claimLength(content, within(5), 2 ** 30)),
    'TFR_TRUNCATED',
    5,
  ),
  ends(
    'a last record that is cut in a whole member',
    append(append(member(0), member(1)), ownMember(cut(CONTENTS[2]!, -1), EACH)),
    'TFR_TRUNCATED',
    RECORDS.length - 1,
  ),
  {
    name: 'skip: damaged records only are lost',
    bytes: records((content) => flipBit(content, within(4) + 30_000)),
    options: () => ({ onError: 'skip' }),
    expected: { records: RECORDS.filter((_, index) => index !== 4) },
  },
  {
    name: 'skip: records that are too large are passed over',
    bytes: append(FILE, ownMember(frame('behind'), 1)),
    options: () => ({ onError: 'skip', maxRecordBytes: 100 }),
    expected: { records: [...RECORDS.filter((record) => record.length <= 100), 'behind'] },
  },
  {
    name: 'small slabs',
    bytes: FILE,
    options: () => ({ batchBytes: 4096 }),
    expected: { records: RECORDS },
  },
];
