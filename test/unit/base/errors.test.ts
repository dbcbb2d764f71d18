import { constants } from 'node:os';

import { TFRecordError } from '../../../lib';
import { invalidArgType, unknownOption } from '../../../lib/base/errors';
import type { Fault } from '../../../lib/base';
import { faultError, fromNodeError } from '../../../lib/base/faults';

const FAULT: Fault = {
  code: 'TFR_CORRUPT_DATA',
  part: 'data',
  detail: '',
  expected: 0xabcn,
  found: 0xdef0n,
  record: 4711,
  offset: 18_223_104,
};

test('a fault names file, record and byte, what was expected and found, and what to do', () => {
  const error = faultError(FAULT, { file: 'train.tfrecord' });
  expect(error).toBeInstanceOf(TFRecordError);
  expect(error).toBeInstanceOf(Error);
  expect({ ...error }).toEqual({
    code: 'TFR_CORRUPT_DATA',
    file: 'train.tfrecord',
    record: 4711,
    offset: 18_223_104,
    expected: '0x00000abc',
    found: '0x0000def0',
    reason:
      'Data checksum mismatch in train.tfrecord, record 4711, at byte 18223104: expected 0x00000abc, found 0x0000def0.',
    hint: { option: 'onError', value: 'skip' },
  });
  expect(error.message).toBe(
    'Data checksum mismatch in train.tfrecord, record 4711, at byte 18223104: expected 0x00000abc, found 0x0000def0. ' +
      'Restore the file; onError: "skip" loses this record only.',
  );
  expect(error.name).toBe('TFRecordError');
  expect(error.stack).toContain('TFRecordError: Data checksum mismatch');
});

test('both offsets in compressed files, and the bytes that are lost', () => {
  const fault: Fault = { ...FAULT, code: 'TFR_COMPRESSION', part: 'gzip trailer CRC32', compressedOffset: 900 };
  const { message } = faultError(fault, { file: 'a.gz', lostBytes: 8 });
  expect(message).toContain(
    'Wrong gzip trailer CRC32 in a.gz, record 4711, at uncompressed byte 18223104 (compressed byte 900)',
  );
  expect(message).toContain('The last 8 bytes of the file cannot be read.');
});

test('foreign files are named', () => {
  const fault: Fault = { ...FAULT, code: 'TFR_NOT_TFRECORD', detail: 'a zip archive', record: 0, offset: 0 };
  expect(faultError(fault, { file: 'x.zip' }).message).toMatch(
    /^x\.zip is not a TFRecord file: it looks like a zip archive\./,
  );
});

test.each([
  ['LZ4 data', 'Decompress it first: only GZIP and ZLIB are read.'],
  ['gzip data in a compressed file', 'It was compressed twice: decompress it once.'],
  ['AppleDouble metadata of macOS', 'Name the file that lies beside it.'],
  [
    'a serialized Example without framing',
    'It lacks the length and the checksums of a record, which RecordWriter adds.',
  ],
  ['a PDF file', 'Check the path, or convert the file first.'],
])('advice about %s', (detail, advice) => {
  const error = faultError({ ...FAULT, code: 'TFR_NOT_TFRECORD', detail, record: 0, offset: 0 }, { file: 'x' });
  expect(error).toMatchObject({ expected: 'a TFRecord file', found: detail });
  expect(error.message).toBe(`x is not a TFRecord file: it looks like ${detail}. ${advice}`);
});

test('what may be a damaged TFRecord file is not called another format', () => {
  const detail = 'a serialized Example without framing, or a TFRecord file that lost its first bytes';
  const { message } = faultError({ ...FAULT, code: 'TFR_NOT_TFRECORD', detail, record: 0, offset: 0 }, { file: 'x' });
  expect(message).toBe(
    `x does not begin with a record: it looks like ${detail}. If bytes are missing, restore the file. If it is a message ` +
      'that was never framed, RecordWriter adds the length and the checksums of a record.',
  );
});

test('where reading goes on is told, and what is lost before', () => {
  const fault: Fault = { ...FAULT, code: 'TFR_COMPRESSION', part: 'deflate data', record: 5, compressedOffset: 700 };
  const place = { file: 'a.gz', lostBytes: 81 };
  expect(faultError({ ...fault, resumes: true, resumesAt: 781 }, place).message).toContain(
    ' Reading goes on with the gzip member at compressed byte 781; 81 bytes before that cannot be read. Restore the file.',
  );
  expect(faultError({ ...fault, resumes: true, resumesAt: 781 }, { ...place, lostBytes: 0 }).message).toContain(
    ' Reading goes on with the gzip member at compressed byte 781. ',
  );
});

test.each([
  [{ fitting: 20 }, 'The first 20 records fit by their lengths, so perhaps only checksums are wrong.'],
  [{ fitting: 1 }, 'The first record fits by its length, so perhaps only checksums are wrong.'],
  [
    { fitting: 2, found: 0n },
    'The stored checksum is 0, and the first 2 records fit by their lengths: the writer may leave checksums out.',
  ],
])('checksums that are wrong from the start: %j', (more, why) => {
  for (const code of ['TFR_CORRUPT_LENGTH', 'TFR_CORRUPT_DATA'] as const) {
    const { message } = faultError({ ...FAULT, ...more, code, record: 0, offset: 0 }, { file: 'x' });
    expect(message).toMatch(/, record 0, at byte 0: expected 0x00000abc, found 0x0000\w+\. /);
    expect(message.endsWith(`. ${why} verify: "none" reads them unchecked.`)).toBe(true);
  }
});

test("system faults carry Node's code, errno and syscall", () => {
  const fault: Fault = {
    code: 'SYSTEM',
    part: 'pread',
    detail: '',
    expected: 0n,
    found: 0n,
    systemError: constants.errno.EIO,
  };
  const error = faultError(fault, { file: '/dev/bad' });
  expect({ ...error }).toEqual({ code: 'EIO', file: '/dev/bad', errno: -constants.errno.EIO, syscall: 'pread' });
  expect(error.message).toBe("EIO: i/o error, pread '/dev/bad'");
  // After opening, the error names the first missing record.
  const later = faultError({ ...fault, record: 7, offset: 700 }, { file: '/dev/bad' });
  expect(later).toMatchObject({ code: 'EIO', record: 7, offset: 700 });
  expect(later.message).toBe("EIO: i/o error, pread '/dev/bad', record 7, at byte 700");
  const memory = faultError({ ...fault, code: 'OUT_OF_MEMORY', part: 'carry buffer' }, { file: 'a' });
  expect(memory.code).toBe('ENOMEM');
  expect(faultError({ ...fault, systemError: 99_999 }, { file: 'a' }).code).toBe('UNKNOWN');
});

test("only Node's system errors are turned into ours", () => {
  const node = Object.assign(new Error('ENOENT: x'), {
    code: 'ENOENT',
    errno: -constants.errno.ENOENT,
    syscall: 'stat',
  });
  expect({ ...(fromNodeError(node, 'a', 'open') as object) }).toEqual({
    code: 'ENOENT',
    file: 'a',
    errno: -constants.errno.ENOENT,
    syscall: 'open',
  });
  const other = new RangeError('mine');
  expect(fromNodeError(other, 'a')).toBe(other);
  expect(fromNodeError('text', 'a')).toBe('text');
});

test('argument errors say what was received', () => {
  expect(invalidArgType('source', 'a path', null).message).toBe('"source" must be a path. Received null');
  expect(invalidArgType('source', 'a path', new Map()).message).toContain('Received an instance of Map');
  expect(invalidArgType('source', 'a path', Object.create(null)).message).toContain('Received an object');
  expect(invalidArgType('source', 'a path', 10n).message).toContain('Received 10n');
  expect(invalidArgType('source', 'a path', 'y'.repeat(100)).message).toContain(`"${'y'.repeat(64)}…"`);
  expect(unknownOption('compresion', ['compression', 'verify'])).toMatchObject({
    code: 'ERR_INVALID_ARG_VALUE',
    message: 'Unknown option "compresion". The options are: compression, verify',
  });
});

test.each([
  [
    { ...FAULT, code: 'TFR_CORRUPT_LENGTH', part: 'length', expected: 0n, found: 0n, detail: 'it changed meanwhile' },
    'Wrong length in a, record 4711, at byte 18223104: it changed meanwhile. Read it again when nobody writes to it.',
  ],
  [
    { ...FAULT, code: 'TFR_TRUNCATED', part: 'data', expected: 100n, found: 7n, detail: 'it became shorter' },
    'Truncated record in a, record 4711, at byte 18223104: expected 100 bytes, found 7 bytes; it became shorter. ' +
      'Read it again when nobody writes to it.',
  ],
] as const)('how damage came about is told, and what to do about that: %#', (fault, message) => {
  expect(faultError(fault, { file: 'a' }).message).toBe(message);
});
