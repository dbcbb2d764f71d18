/** Opens files to append records to: finds the end of their last whole record, and trims a torn record after it. */
import { realpath, unlink } from 'node:fs/promises';

import {
  invalidArgValue,
  isOneOf,
  TFRecordError,
  compressionNumber,
  type Compression,
  counted,
  folderError,
  fromNodeError,
  systemErrorOf,
  FRAME_BYTES,
  MAX_RECORD_BYTES,
  tfrecordError,
  messageOf,
  worded,
} from '../../../base';
import type { RecordBatch } from '../../batch/record-batch';
import { crc32c, maskCrc32c } from '../../crc32c';
import { ErrorPolicy } from '../../error-policy';
import { recordSequence } from '../../read/record-cursor';
import { resolveReadOptions } from '../../read/read-options';
import { resolveWriteOptions, WRITE_OPTION_NAMES, type WriteOptions } from '../write-options';
import { APPENDABLE, CODEC_NAMES, compressionByMagic, type ClassifiedTarget } from '../../../io';
import { AppendOutput } from './append-output';
import { LockedFile } from './locked-file';

/** Bytes of a record's length and of its checksum. */
const HEADER_BYTES = 12;

/** A file that is ready for more records. */
export interface AppendTarget {
  readonly target: ClassifiedTarget;
  /** The options, with the compression of the file. */
  readonly options: WriteOptions;
}

/** Writes all records of `batches` to a new file in the place of `path`. Until that is complete, the old file stays. */
export type Rewrite = (path: string, batches: AsyncIterable<RecordBatch>, options: WriteOptions) => Promise<unknown>;

/**
 * Opens `path` to append to it; `file` is its name in messages. A file that does not exist is made. Reads the whole file
 * and checks the lengths of its records: after the last whole one, a torn record is trimmed, with a warning. A GZIP file
 * with a torn record is written anew, without it, and all its records are verified: its last member has no end to write
 * behind. So is a GZIP file that TensorFlow would not read beyond its present end.
 *
 * @throws TFRecordError TFR_COMPRESSION for ZLIB, and for a file of another compression than `options` say; the codes of
 *   reading for other damage; TFR_TRUNCATED for a torn GZIP file with several hard links, which would part; Node's codes
 *   for what the system refuses, EBUSY while another writer has the file. TypeError for something that is no regular file.
 *   `signal.reason`.
 */
export async function openAppended(
  file: string,
  path: string,
  options: WriteOptions,
  rewrite: Rewrite,
): Promise<AppendTarget> {
  const chosen = options.compression ?? 'auto';
  const byName = chosen === 'auto' ? namedCompression(path) : chosen;
  if (!APPENDABLE.includes(byName)) throw zlibError(file);
  let locked = LockedFile.open(file, path);
  const takeAway = async (): Promise<void> => {
    if (locked.made && (await locked.hasName())) await unlink(path);
  };
  try {
    const stats = await locked.stat();
    const size = Number(stats.size);
    if (stats.isDirectory()) throw folderError(file);
    if (!stats.isFile()) throw invalidArgValue('target', 'a regular file, to which records can be appended', file);
    const compression = size === 0 ? byName : await contentOf(locked, byName);
    if (!APPENDABLE.includes(compression)) throw zlibError(file);
    if (chosen !== 'auto' && chosen !== compression) throw otherCompression(file, chosen, compression);
    const plan = { ...options, compression };
    resolveWriteOptions(plan, path);
    const tail = size === 0 ? WHOLE : await tailOf(file, path, options.signal);
    let end = size;
    const hides = compression !== 'none' && hidesWhatFollows(size);
    if (tail.torn !== undefined && compression === 'none') {
      end = tail.end;
      await locked.truncate(end);
    } else if (tail.torn !== undefined || hides) {
      if (stats.nlink > 1n) throw linked(file, tail.torn);
      // The lock of the old file is held until the new one has its name.
      const target = await realpath(path);
      await rewrite(target, wholeRecords(file, path, tail.records, options.signal), { ...plan, atomic: true });
      locked.close();
      locked = LockedFile.open(file, path);
      end = Number((await locked.stat()).size);
    }
    if (tail.torn !== undefined) warnOfTorn(file, tail, compression);
    const output = new AppendOutput(file, locked, takeAway);
    output.startAt(end);
    return {
      target: {
        file,
        path: undefined,
        open: () => output,
        bytesBefore: end,
        fate: locked.made ? 'The file is taken away again.' : 'The file gets its former length.',
      },
      options: plan,
    };
  } catch (error) {
    await takeAway().catch(() => undefined);
    locked.close();
    throw fromNodeError(error, file, 'open');
  }
}

/** Input buffer of TensorFlow. */
const TENSORFLOW_BUFFER = 262_144;
/** Bytes of a member's checksum and size. */
const TRAILER_BYTES = 8;

/**
 * True if TensorFlow 2.21 loses what is appended to a GZIP file of `size` bytes: its buffer ends in the last trailer
 * (docs/format.md).
 */
function hidesWhatFollows(size: number): boolean {
  const past = size % TENSORFLOW_BUFFER;
  return size > TENSORFLOW_BUFFER && past >= 1 && past <= TRAILER_BYTES;
}

/** Returns the error for a file that would have to be written anew. */
function linked(file: string, torn: TFRecordError | undefined): TFRecordError {
  const links = 'It has several hard links, of which only one could be';
  if (torn !== undefined) return refusal(file, torn, `${links} mended.`);
  const [expected, found] = [
    'a GZIP file whose last member ends elsewhere',
    'one whose end TensorFlow does not read beyond',
  ];
  return tfrecordError(
    'TFR_COMPRESSION',
    worded`Nothing can be appended to ${file}: expected ${expected}, found ${found}. ${links} written anew.`,
    { file, expected, found },
  );
}

function namedCompression(path: string): Compression {
  const { compression } = resolveWriteOptions(undefined, path);
  return CODEC_NAMES.find((each) => compressionNumber(each) === compression)!;
}

/**
 * The compression of a file that has content, by its first bytes, as readers find it. In a file that is torn within its
 * first 12 bytes, the length of a record may look like a magic number: then `byName` decides.
 */
async function contentOf(locked: LockedFile, byName: Compression): Promise<Compression> {
  const buffer = await locked.head(HEADER_BYTES);
  if (buffer.length < HEADER_BYTES) return byName;
  if (maskCrc32c(crc32c(buffer.subarray(0, 8))) === buffer.readUInt32LE(8)) return 'none';
  return compressionByMagic(buffer[0]!, buffer[1]!);
}

interface Tail {
  /** Whole records. */
  readonly records: number;
  /** Uncompressed bytes of the whole records. */
  readonly end: number;
  /** The error for the torn record after them. */
  readonly torn: TFRecordError | undefined;
}

const WHOLE: Tail = { records: 0, end: 0, torn: undefined };

/** Reads the lengths of all records. @throws TFRecordError for damage that is no torn record at the end */
async function tailOf(file: string, path: string, signal: AbortSignal | undefined): Promise<Tail> {
  const inputs = recordsOf(path, 'length', signal);
  let records = 0;
  let end = 0;
  for (;;) {
    try {
      const batch = await inputs.next();
      if (batch === undefined) return { records, end, torn: undefined };
      records += batch.length;
      const { offset, bytes } = batch.origin(batch.length - 1)!;
      end = offset + FRAME_BYTES + bytes;
    } catch (error) {
      await inputs.close();
      if (!(error instanceof TFRecordError)) throw error;
      if (error.code === 'TFR_TRUNCATED') return { records, end, torn: error };
      throw refusal(file, error);
    }
  }
}

/** The first `records` records, verified: they get new checksums. @throws TFRecordError for the damage that is found */
async function* wholeRecords(
  file: string,
  path: string,
  records: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<RecordBatch> {
  const inputs = recordsOf(path, 'all', signal);
  let left = records;
  try {
    while (left > 0) {
      const batch = await inputs.next();
      if (batch === undefined) throw systemErrorOf('EBUSY', 'read', file, 'Another program changes the file');
      left -= batch.length;
      yield batch;
    }
  } catch (error) {
    throw error instanceof TFRecordError ? refusal(file, error) : error;
  } finally {
    await inputs.close();
  }
}

/** Returns the error for `fault`, because of which nothing can be appended to `file`. */
function refusal(file: string, fault: TFRecordError, why = ''): TFRecordError {
  const { code, record, offset, compressedOffset, expected, found } = fault;
  const details = { file, record, offset, compressedOffset, expected, found, cause: fault };
  // Advice for readers is left out: a writer has no `onError`, and checks no data.
  const reason = messageOf(fault).offering(({ option }) => isOneOf<string>(WRITE_OPTION_NAMES, option));
  return tfrecordError(code, worded`Nothing can be appended to ${file}. ${reason}${why && ` ${why}`}`, details);
}

function recordsOf(
  path: string,
  verify: 'all' | 'length',
  signal: AbortSignal | undefined,
): ReturnType<typeof recordSequence> {
  const options = resolveReadOptions({ verify, maxRecordBytes: MAX_RECORD_BYTES, signal });
  const policy = new ErrorPolicy('throw');
  return recordSequence({ kind: 'paths', paths: [{ path, expands: false }] }, { ...options, policy });
}

function warnOfTorn(file: string, { records, torn }: Tail, compression: Compression): void {
  const done = compression === 'none' ? 'was trimmed' : 'was left out: the file was written anew';
  const { offset = 0, lostBytes } = torn!;
  const lost =
    lostBytes === undefined ? '' : `, of which ${lostBytes} ${lostBytes === 1 ? 'byte is' : 'bytes are'} lost`;
  process.emitWarning(
    `The end of ${file} was torn, and ${done}: record ${records}, at uncompressed byte ${offset}${lost}. ` +
      `The ${counted(records, 'record before it stays', undefined, 'records before it stay')}.`,
    { type: 'TFRecordWarning', code: 'TFR_TRIMMED' },
  );
}

function zlibError(file: string): TFRecordError {
  return new TFRecordError(
    'TFR_COMPRESSION',
    `Nothing can be appended to ${file}: expected a plain or GZIP file, found ZLIB, which is one stream with one end. ` +
      'Write a file of its own, or write all records anew with GZIP.',
    { file, expected: 'a plain or GZIP file', found: 'ZLIB' },
  );
}

function otherCompression(file: string, chosen: Compression, found: Compression): TFRecordError {
  return new TFRecordError(
    'TFR_COMPRESSION',
    `Nothing can be appended to ${file}: expected compression ${chosen}, as the option says, found ${found}. ` +
      'Leave out the option to go on as the file is.',
    { file, expected: chosen, found },
  );
}
