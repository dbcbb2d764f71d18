/** Turns native faults, which are plain values, into the errors that users see. All wording about damage is here. */
import { constants } from 'node:os';
import { join } from 'node:path';
import { getSystemErrorMap, types } from 'node:util';

import { unitOf } from './compression';
import { tfrecordError, TFRecordError } from './errors';
import { advice, aside, messageOf, named, setting, worded, type Mention, type Message } from './message';
import { counted } from './wording';
import { isObject } from './arguments';
import type { LostRegion } from './lost-region';
import { electronLimit, LARGEST_ARRAY } from './array-limit';
import type { Fault } from './fault';
import { foreignAdvice, isPerhapsDamaged, isReadable } from './foreign';
import { FRAME_BYTES, MAX_RECORD_BYTES } from './format';

/** The place of a fault, as far as native code does not know it. */
export interface FaultPlace {
  /** The path, or `-`, `<bytes>`, `<stream>`. */
  readonly file: string;
  /** As `TFRecordError.lostBytes`. */
  readonly lostBytes?: number | undefined;
  /** Which bytes were counted as lost: those of the stored file, or those of its inflated content. Default: `file`. */
  readonly lostOf?: 'file' | 'content' | undefined;
  /** The region that a reader with `salvage` loses. */
  readonly region?: LostRegion | undefined;
}

/** Hints for failed system calls, by `Fault.detail`. */
const SYSTEM_HINTS: ReadonlyMap<string, string> = new Map([
  ['in use', 'Another RecordWriter writes it in place, or appends to it: close that one first.'],
  ['held', 'It is open elsewhere, in this program or another: close it there, then write again.'],
  ['reserved name', 'Windows keeps this name for a device, with and without an extension: choose another.'],
  [
    'name end',
    'Windows drops dots and spaces at the end of a name, so this would be another file. Choose another name, or put ' +
      '\\\\?\\ before the full path.',
  ],
  ['named', 'The file is whole and has its name, but may not survive a power cut: its folder could not be synced.'],
]);

/** Place of the first record that is lost because of a fault. */
type FaultedRecord = Pick<Fault, 'record' | 'offset' | 'compressedOffset'>;

/**
 * Returns the error for `fault`. `SYSTEM` and `OUT_OF_MEMORY` become errors with Node's code, errno and syscall. `terms`
 * replaces mentions of options for readers that name them otherwise.
 */
export function faultError(fault: Fault, place: FaultPlace, terms?: (mention: Mention) => Mention): TFRecordError {
  if (fault.code === 'SYSTEM') return systemError(fault, place.file);
  if (fault.code === 'OUT_OF_MEMORY') return memoryError(place.file);
  const { expected, found } = amounts(fault);
  const message = foreignMessage(fault, place) ?? damageMessage(fault, place);
  return tfrecordError(fault.code, terms === undefined ? message : message.mentioning(terms), {
    file: place.file,
    record: fault.record,
    offset: fault.offset,
    compressedOffset: fault.compressedOffset,
    lostBytes: place.lostBytes,
    region: place.region,
    expected,
    found,
  });
}

/**
 * Returns the error for a system call that failed in native code. The message reads like Node's own: `ENOENT: no such
 * file or directory, open 'a.tfrecord'`.
 */
function systemError(
  { systemError: errno = 0, part: syscall, detail, record, offset }: Fault,
  file: string,
): TFRecordError {
  const { code, number, text } = describeErrno(errno);
  // Before a file is open, there is no record or byte to name.
  const at: FaultedRecord = syscall === 'open' ? {} : { record, offset };
  const message = worded`${code}: ${text}, ${syscall} '${file}'${whereabouts(at)}${followed(SYSTEM_HINTS.get(detail))}`;
  return tfrecordError(code, message, { file, ...at, errno: number, syscall });
}

/** Returns a system error for `code` (`ENOENT`) that no system call reported. `hint` follows the message. */
export function systemErrorOf(
  code: 'EACCES' | 'EBUSY' | 'EDQUOT' | 'EFBIG' | 'EISDIR' | 'EILSEQ' | 'ENOENT' | 'ENOMEM' | 'ENOSPC' | 'ENOSYS',
  syscall: string,
  file: string,
  hint?: string,
  cause?: unknown,
): TFRecordError {
  const { number, text } = describeErrno(constants.errno[code]);
  const message = worded`${code}: ${text}, ${syscall} '${file}'${followed(hint)}`;
  return tfrecordError(code, message, { file, errno: number, syscall, cause });
}

/** Returns the error for memory that cannot be allocated, naming `file`. */
export function memoryError(file: string, cause?: unknown): TFRecordError {
  return systemErrorOf('ENOMEM', 'malloc', file, undefined, cause);
}

/**
 * Returns the result of `allocate`, which may fail only for lack of memory. @throws TFRecordError ENOMEM, naming `file`;
 * TFR_RECORD_TOO_LARGE if `bytes`, the size of one array, are more than Electron allows.
 */
export function orNoMemory<T>(file: string, bytes: number, allocate: () => T): T {
  try {
    return allocate();
  } catch (cause) {
    throw arrayError(file, bytes, cause) ?? memoryError(file, cause);
  }
}

function arrayError(file: string, bytes: number, cause: unknown): TFRecordError | undefined {
  const reason = electronLimit(bytes);
  if (reason === undefined) return undefined;
  const expected = `at most ${LARGEST_ARRAY} bytes in one array`;
  const found = `${bytes} bytes`;
  const message = worded`Array too large for ${file}: expected ${expected}, found ${found}.${advice` ${reason}: use smaller batches, or a process of Node itself.`}`;
  return tfrecordError('TFR_RECORD_TOO_LARGE', message, { file, expected, found, cause });
}

/** The `code` of an error, as Node's errors have one; undefined for other values. */
export function codeOf(error: unknown): unknown {
  return isObject(error) ? error['code'] : undefined;
}

/**
 * Converts an error that Node threw for a system call; returns any other error as it is. `syscall` replaces the name of
 * the call in the message, and `hint` follows the message.
 */
export function fromNodeError(error: unknown, file: string, syscall?: string, hint?: string): unknown {
  // Under vm, Node's errors belong to another realm, so `instanceof Error` would be false.
  if (!types.isNativeError(error) || error instanceof TFRecordError) return error;
  const { code, errno, syscall: failed }: NodeJS.ErrnoException = error;
  if (code === undefined || errno === undefined || failed === undefined) return error;
  const [, text] = getSystemErrorMap().get(errno) ?? [code, error.message];
  const name = syscall ?? failed;
  return tfrecordError(code, worded`${code}: ${text}, ${name} '${file}'${followed(hint)}`, {
    file,
    errno,
    syscall: name,
  });
}

/**
 * Converts a system error of a stream, with the stream's error as its cause; returns any other error as it is. If Node's
 * error names a path, the result names it too, because it says more than `file` (`<stream>`).
 */
export function streamError(error: unknown, file: string): unknown {
  const path = isObject(error) ? error['path'] : undefined;
  const ours = fromNodeError(error, typeof path === 'string' ? path : file);
  if (ours === error || !(ours instanceof TFRecordError)) return error;
  const { code, errno, syscall } = ours;
  return tfrecordError(code, messageOf(ours), { file: ours.file, errno, syscall, cause: error });
}

/** True if `error`, or its cause, says that too many files are open. */
export function lacksDescriptors(error: unknown): boolean {
  if (!isObject(error)) return false;
  const { code, cause } = error;
  return code === 'EMFILE' || code === 'ENFILE' || (code === 'TFR_USER' && lacksDescriptors(cause));
}

/** True if `fault` says that too many files are open. */
export function isLackOfDescriptors({ code, systemError: errno }: Fault): boolean {
  return code === 'SYSTEM' && (errno === constants.errno.EMFILE || errno === constants.errno.ENFILE);
}

/** Returns the error for a folder that was given in place of a file. */
export function folderError(path: string): TFRecordError {
  return systemErrorOf('EISDIR', 'read', path, `It is a folder: name the files in it, as '${join(path, '*')}'`);
}

function followed(hint: string | undefined): Message | undefined {
  return hint === undefined ? undefined : advice`. ${hint}`;
}

/** Returns the message for content of another kind, without the places and checksums, which would mean nothing there. */
function foreignMessage({ code, part, detail }: Fault, { file }: FaultPlace): Message | undefined {
  if (detail === '') return undefined;
  if (code === 'TFR_NOT_TFRECORD') {
    const what = isPerhapsDamaged(detail) ? 'does not begin with a record' : 'is not a TFRecord file';
    return worded`${file} ${what}: it looks like ${detail}.${advice` ${foreignAdvice(detail)}`}`;
  }
  if (code === 'TFR_COMPRESSION') {
    const wanted = part === 'none' ? 'an uncompressed TFRecord file' : `a ${part} file`;
    const auto = isReadable(detail) ? advice` ${setting('compression', 'auto')} reads it.` : advice` Check the path.`;
    return worded`${file} was to be read as ${wanted} (${setting('compression', part)}), but looks like ${detail}.${auto}`;
  }
  return undefined;
}

function damageMessage(fault: Fault, place: FaultPlace): Message {
  const { expected, found } = amounts(fault);
  const compared = expected !== undefined && found !== undefined ? `: expected ${expected}, found ${found}` : '';
  const { detail } = fault;
  const cause = detail === '' ? '' : `${compared === '' ? ':' : ';'} ${detail}`;
  return worded`${headline(fault)} in ${place.file}${whereabouts(fault)}${compared}${cause}.${loss(fault, place)}${advice` ${cureOf(fault)}`}`;
}

function cureOf(fault: Fault): Message {
  if (fault.detail !== '') return advice`Read it again when nobody writes to it.`;
  return (
    checksumHint(fault) ??
    sizeHint(fault) ??
    (fault.resumesAt === undefined && (fault.regionEnd === undefined || fault.resumes !== true)
      ? CURES[fault.code](fault)
      : advice`Restore the file.`)
  );
}

/** Returns the sentence about what is lost, and where reading goes on, with a space before it. */
function loss({ resumes, resumesAt, regionEnd }: Fault, { lostBytes, lostOf = 'file', region }: FaultPlace): string {
  const doubts = region === undefined ? '' : doubtsIn(region);
  const before = lostBytes ? `; ${counted(lostBytes, 'byte')} before that cannot be read` : '';
  if (resumes === true && regionEnd !== undefined) return ` Reading goes on at byte ${regionEnd}${before}.${doubts}`;
  if (resumesAt !== undefined) {
    return ` Reading goes on with the gzip member at compressed byte ${resumesAt}${before}.${doubts}`;
  }
  return (lostBytes ? ` The last ${counted(lostBytes, 'byte')} of the ${lostOf} cannot be read.` : '') + doubts;
}

/** Returns the sentences about whole records in and before a region that may be data of other ones. */
function doubtsIn({ inside, doubtful }: LostRegion): string {
  const within = inside === 0 ? '' : ` ${counted(inside, 'whole record')} in the data of this one: left out.`;
  const before = `the ${counted(doubtful, 'record')} before it may be data of an earlier damaged record`;
  return within + (doubtful === 0 ? '' : ` Perhaps no records: ${before}.`);
}

const STOP = setting('onError', 'stop');
const SKIP = setting('onError', 'skip');
const PASSES_OVER = aside`; ${SKIP} passes over this one`;

const restore = (): Message => advice`Restore the file${aside`; ${STOP} keeps the records before this place`}.`;

const CURES: Readonly<Record<Fault['code'], (fault: Fault) => Message>> = {
  TFR_TRUNCATED: () =>
    advice`The file is incomplete: fetch or write it again${aside`; ${STOP} accepts the records that are whole`}.`,
  TFR_TRAILING_DATA: () =>
    advice`The appended bytes are not record data: remove them${aside`; ${STOP} accepts the records before them`}.`,
  TFR_CORRUPT_LENGTH: () => advice`Where the next record starts is unknown. ${restore()}`,
  TFR_CORRUPT_DATA: () => advice`Restore the file${aside`; ${SKIP} loses this record only`}.`,
  TFR_NOT_TFRECORD: () => advice`Check the path, or convert the file first.`,
  TFR_COMPRESSION: restore,
  TFR_RECORD_TOO_LARGE: ({ found }) =>
    advice`If records of this size are meant, raise ${named('maxRecordBytes', 'maxRecordBytes', Number(found))}${PASSES_OVER}.`,
  SYSTEM: () => advice``,
  OUT_OF_MEMORY: () => advice``,
};

/** The advice where the first records fit by their lengths: their writer may have made wrong checksums, or none. */
function checksumHint({ fitting = 0, found }: Fault): Message | undefined {
  if (fitting === 0) return undefined;
  const fit = fitting === 1 ? 'first record fits by its length' : `first ${fitting} records fit by their lengths`;
  const why =
    found === 0n
      ? `The stored checksum is 0, and the ${fit}: the writer may leave checksums out.`
      : `The ${fit}, so perhaps only checksums are wrong.`;
  return advice`${why} ${setting('verify', 'none')} reads them unchecked.`;
}

/** The advice for a record that no `maxRecordBytes` makes readable here. */
function sizeHint({ code, found }: Fault): Message | undefined {
  if (code !== 'TFR_RECORD_TOO_LARGE') return undefined;
  const bytes = Number(found);
  const reason = electronLimit(bytes + FRAME_BYTES);
  if (reason === undefined && bytes > MAX_RECORD_BYTES) {
    return advice`Records of more than ${counted(MAX_RECORD_BYTES, 'byte')} cannot be read: write smaller ones${PASSES_OVER}.`;
  }
  return reason === undefined ? undefined : advice`${reason}: read the file in a process of Node itself${PASSES_OVER}.`;
}

const UNPROVEN = 'Unproven records after a damaged one (their checksum is more than 64 MiB away)';

/** Native code's short names of parts, in words for a sentence. */
const RECORD_PARTS: ReadonlyMap<string, string> = new Map([
  ['header', 'record header'],
  ['data', 'record'],
]);

function headline({ code, part, detail }: Fault): string {
  switch (code) {
    case 'TFR_TRUNCATED':
      return `Truncated ${RECORD_PARTS.get(part) ?? part}`;
    case 'TFR_TRAILING_DATA':
      return `Trailing data after the last ${unitOf(part)}`;
    case 'TFR_CORRUPT_LENGTH':
    case 'TFR_NOT_TFRECORD':
      return detail === '' ? 'Length checksum mismatch' : 'Wrong length';
    case 'TFR_CORRUPT_DATA':
      return 'Data checksum mismatch';
    case 'TFR_COMPRESSION':
      if (part === 'proof') return UNPROVEN;
      return part === 'deflate data' ? 'Damaged deflate data' : `Wrong ${part}`;
    case 'TFR_RECORD_TOO_LARGE':
      return 'Record longer than allowed';
    default:
      return part;
  }
}

function whereabouts({ record, offset, compressedOffset }: FaultedRecord): string {
  const places: string[] = [];
  if (record !== undefined) places.push(`record ${record}`);
  if (offset !== undefined) {
    places.push(
      compressedOffset === undefined
        ? `at byte ${offset}`
        : `at uncompressed byte ${offset} (compressed byte ${compressedOffset})`,
    );
  } else if (compressedOffset !== undefined) {
    places.push(`at compressed byte ${compressedOffset}`);
  }
  return places.map((place) => `, ${place}`).join('');
}

/** Formats a fault's numbers: checksums in hexadecimal, lengths in bytes. Empty if the fault has no pair of numbers. */
function amounts(fault: Fault): { expected?: string; found?: string } {
  const { code, part, expected, found, detail } = fault;
  if (code === 'TFR_NOT_TFRECORD' && detail !== '') return { expected: 'a TFRecord file', found: detail };
  if (expected === found || code === 'TFR_TRAILING_DATA') return {};
  switch (code) {
    case 'TFR_CORRUPT_LENGTH':
    case 'TFR_CORRUPT_DATA':
    case 'TFR_NOT_TFRECORD':
      return { expected: hex(expected), found: hex(found) };
    case 'TFR_RECORD_TOO_LARGE':
      return { expected: `at most ${counted(expected, 'byte')}`, found: counted(found, 'byte') };
    case 'TFR_TRUNCATED':
      return { expected: counted(expected, 'byte'), found: counted(found, 'byte') };
    default:
      return /crc|adler|check/i.test(part)
        ? { expected: hex(expected), found: hex(found) }
        : { expected: String(expected), found: String(found) };
  }
}

function hex(checksum: bigint): string {
  return `0x${checksum.toString(16).padStart(8, '0')}`;
}

function describeErrno(errno: number): { code: string; number: number; text: string } {
  const map = getSystemErrorMap();
  // On POSIX, libuv's numbers are negated errnos. On Windows, it has numbers of its own, which are found by name.
  const direct = process.platform === 'win32' ? undefined : map.get(-errno);
  if (direct !== undefined) return { code: direct[0], number: -errno, text: direct[1] };
  const code = Object.entries(constants.errno).find(([, value]) => value === errno)?.[0];
  for (const [number, [name, text]] of map) if (name === code) return { code, number, text };
  return { code: code ?? 'UNKNOWN', number: -errno, text: 'unknown error' };
}

const THREADS = 'The system cannot start a thread: raise its limit on processes or on memory.';

/**
 * Returns the result of `call`, which calls native code for `file`. @throws TFRecordError ENOMEM if there is no memory,
 * EAGAIN if no thread can be started.
 */
export function callNative<T>(file: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw fromNodeError(error, file, undefined, codeOf(error) === 'EAGAIN' ? THREADS : undefined);
  }
}

/** Returns the promise of `call`, as {@link callNative}. Errors that native code throws at once become rejections. */
export async function startNative<T>(file: string, call: () => Promise<T>): Promise<T> {
  return callNative(file, call);
}
