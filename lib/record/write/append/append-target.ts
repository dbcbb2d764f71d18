/** Opens files to append records to: finds the end of their last whole record, and trims what is torn behind it. */
import { open, unlink, type FileHandle } from 'node:fs/promises';

import { invalidArgValue, TFRecordError } from '../../../errors';
import { compressionNumber, type Compression } from '../../../native';
import type { RecordBatch } from '../../batch/record-batch';
import { crc32c, maskCrc32c } from '../../crc32c';
import { ErrorPolicy } from '../../error-policy';
import { codeOf, folderError, fromNodeError } from '../../faults';
import { FRAME_BYTES, MAX_RECORD_BYTES } from '../../format';
import { recordSequence } from '../../read/record-cursor';
import { resolveReadOptions } from '../../read/read-options';
import { resolveWriteOptions, type WriteOptions } from '../write-options';
import type { ClassifiedTarget } from '../write-target';
import { AppendOutput } from './append-output';

/** Bytes of a record's length and of its checksum. */
const HEADER_BYTES = 12;

/** A file that is ready for more records. */
export interface AppendTarget {
  readonly target: ClassifiedTarget;
  /** The options, with the compression of the file. */
  readonly options: WriteOptions;
}

/** Writes all records of `batches` to a new file in the place of `path`. */
export type Rewrite = (path: string, batches: AsyncIterable<RecordBatch>, options: WriteOptions) => Promise<unknown>;

/**
 * Opens `path` to append to it; `file` is its name in messages. A file that does not exist is made. Reads the whole file
 * and checks the lengths of its records: behind the last whole one, a torn record is trimmed, with a warning. A GZIP file
 * with a torn record is written anew, without it: its last member has no end to write behind.
 *
 * @throws TFRecordError TFR_COMPRESSION for ZLIB, and for a file of another compression than `options` say; the codes of
 *   reading for other damage; Node's codes for what the system refuses. TypeError for something that is no regular file.
 */
export async function openAppended(
  file: string,
  path: string,
  options: WriteOptions,
  rewrite: Rewrite,
): Promise<AppendTarget> {
  const chosen = options.compression ?? 'auto';
  const byName = chosen === 'auto' ? namedCompression(path) : chosen;
  if (byName === 'zlib') throw zlibError(file);
  let { handle, made } = await openFile(file, path);
  let output: AppendOutput | undefined;
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw folderError(file);
    if (!stats.isFile()) throw invalidArgValue('target', 'a regular file, to which records can be appended', file);
    const compression = stats.size === 0 ? byName : await contentOf(handle);
    if (compression === 'zlib') throw zlibError(file);
    if (chosen !== 'auto' && chosen !== compression) throw otherCompression(file, chosen, compression);
    output = await AppendOutput.of(file, handle, made ? () => unlink(path) : undefined);
    const plan = { ...options, compression };
    resolveWriteOptions(plan, path);
    const tail = stats.size === 0 ? WHOLE : await tailOf(file, path);
    let end = stats.size;
    if (tail.torn !== undefined) {
      warnOfTorn(file, tail.torn, compression);
      if (compression === 'none') {
        end = tail.end;
        await handle.truncate(end);
      } else {
        await output.close();
        await rewrite(path, wholeRecords(path, tail.records), plan);
        ({ handle, made } = await openFile(file, path));
        output = await AppendOutput.of(file, handle, undefined);
        end = (await handle.stat()).size;
      }
    }
    const ready = output;
    ready.startAt(end);
    return {
      target: {
        file,
        path: undefined,
        open: () => ready,
        bytesBefore: end,
        fate: made ? 'The file is taken away again.' : 'The file gets its former length.',
      },
      options: plan,
    };
  } catch (error) {
    await output?.close();
    await handle.close().catch(() => undefined);
    if (made) await unlink(path).catch(() => undefined);
    throw fromNodeError(error, file, 'open');
  }
}

/** `made`: the file did not exist. */
async function openFile(file: string, path: string): Promise<{ handle: FileHandle; made: boolean }> {
  try {
    return { handle: await open(path, 'r+'), made: false };
  } catch (error) {
    if (codeOf(error) === 'EISDIR') throw folderError(file);
    if (codeOf(error) !== 'ENOENT') throw fromNodeError(error, file, 'open');
  }
  try {
    return { handle: await open(path, 'wx+'), made: true };
  } catch (error) {
    // Somebody else made it meanwhile, or it is a link that leads nowhere.
    throw fromNodeError(error, file, 'open');
  }
}

function namedCompression(path: string): Compression {
  const { compression } = resolveWriteOptions(undefined, path);
  return (['none', 'gzip', 'zlib'] as const).find((each) => compressionNumber(each) === compression)!;
}

/** The compression of a file that has content, by its first bytes, as readers find it. */
async function contentOf(handle: FileHandle): Promise<Compression> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
  const plain = bytesRead === HEADER_BYTES && maskCrc32c(crc32c(buffer.subarray(0, 8))) === buffer.readUInt32LE(8);
  const [first = 0, second = 0x8b] = buffer.subarray(0, bytesRead);
  if (plain) return 'none';
  if (first === 0x1f && second === 0x8b) return 'gzip';
  // RFC 1950, section 2.2: the method is 8, and the two bytes are a multiple of 31.
  return bytesRead > 1 && (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0 ? 'zlib' : 'none';
}

interface Tail {
  /** Whole records. */
  readonly records: number;
  /** Uncompressed bytes of the whole records. */
  readonly end: number;
  /** The error for the torn record behind them. */
  readonly torn: TFRecordError | undefined;
}

const WHOLE: Tail = { records: 0, end: 0, torn: undefined };

/** Reads the lengths of all records. @throws TFRecordError for damage that is no torn record at the end */
async function tailOf(file: string, path: string): Promise<Tail> {
  const inputs = lengthsOf(path);
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
      const { code, message, record, offset, compressedOffset, expected, found } = error;
      const details = { file, record, offset, compressedOffset, expected, found, cause: error };
      throw new TFRecordError(code, `Nothing can be appended to ${file}. ${message}`, details);
    }
  }
}

async function* wholeRecords(path: string, records: number): AsyncGenerator<RecordBatch> {
  const inputs = lengthsOf(path);
  let left = records;
  try {
    while (left > 0) {
      const batch = (await inputs.next())!;
      left -= batch.length;
      yield batch;
    }
  } finally {
    await inputs.close();
  }
}

function lengthsOf(path: string): ReturnType<typeof recordSequence> {
  const options = resolveReadOptions({ verify: 'length', maxRecordBytes: MAX_RECORD_BYTES });
  const policy = new ErrorPolicy('throw');
  return recordSequence({ kind: 'paths', paths: [{ path, expands: false }] }, { ...options, policy });
}

function warnOfTorn(file: string, torn: TFRecordError, compression: Compression): void {
  const done = compression === 'none' ? 'was trimmed' : 'was left out: the file was written anew';
  process.emitWarning(`The end of ${file} was torn, and ${done}. ${torn.message}`, {
    type: 'TFRecordWarning',
    code: 'TFR_TRIMMED',
  });
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
