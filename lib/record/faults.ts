/**
 * From native faults, which are values, to the errors that users see. All wording about damage lives here.
 */
import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';

import { TFRecordError } from '../errors';
import type { Fault } from '../native';

/** What native does not know about the place of a fault. */
export interface FaultPlace {
  /** The path, or `-`, `<bytes>`, `<stream>`. */
  readonly file: string;
  /** Bytes from the fault to the end of the file that cannot be read; undefined when unknown or none. */
  readonly lostBytes?: number | undefined;
}

/** The error for `fault`. `SYSTEM` and `OUT_OF_MEMORY` become errors with Node's code, errno and syscall. */
export function faultError(fault: Fault, place: FaultPlace): TFRecordError {
  if (fault.code === 'SYSTEM') return systemError(fault.systemError ?? 0, fault.part, place.file);
  if (fault.code === 'OUT_OF_MEMORY') return systemError(constants.errno.ENOMEM, 'malloc', place.file);
  const { expected, found } = amounts(fault);
  const compared = expected !== undefined && found !== undefined ? `: expected ${expected}, found ${found}` : '';
  const lost = place.lostBytes ? ` The last ${bytes(place.lostBytes)} of the file cannot be read.` : '';
  const message = `${headline(fault)} in ${place.file}${whereabouts(fault)}${compared}.${lost} ${ADVICE[fault.code]}`;
  return new TFRecordError(fault.code, message, {
    file: place.file,
    record: fault.record,
    offset: fault.offset,
    compressedOffset: fault.compressedOffset,
    expected,
    found,
  });
}

/**
 * The error for a failed system call: `errno` is the C library's positive number, `syscall` its name (`open`).
 * Reads like Node's own: `ENOENT: no such file or directory, open 'a.tfrecord'`.
 */
export function systemError(errno: number, syscall: string, file: string, cause?: unknown): TFRecordError {
  const { code, number, text } = describeErrno(errno);
  return new TFRecordError(code, `${code}: ${text}, ${syscall} '${file}'`, { file, errno: number, syscall, cause });
}

/** A system error for `code` (`ENOENT`) that we found out without a failing call; `hint` follows the message. */
export function systemErrorOf(code: 'ENOENT' | 'EISDIR', syscall: string, file: string, hint = ''): TFRecordError {
  const { number, text } = describeErrno(constants.errno[code]);
  const message = `${code}: ${text}, ${syscall} '${file}'${hint === '' ? '' : `. ${hint}`}`;
  return new TFRecordError(code, message, { file, errno: number, syscall });
}

/** An error that Node threw for a system call, as ours; anything else as it is. */
export function fromNodeError(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof TFRecordError) return error;
  const { code, errno, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || errno === undefined || syscall === undefined) return error;
  return new TFRecordError(code, error.message, { file, errno, syscall, cause: error });
}

const ADVICE: Record<Exclude<Fault['code'], 'SYSTEM' | 'OUT_OF_MEMORY'>, string> = {
  TFR_TRUNCATED:
    'The file is incomplete: fetch or write it again; onError: "stop" accepts the whole records before this place.',
  TFR_TRAILING_DATA:
    'Something was appended that is no record data; onError: "stop" accepts the records before this place.',
  TFR_CORRUPT_LENGTH:
    'Where the next record starts cannot be known: restore the file; onError: "stop" or "skip" keeps what came before.',
  TFR_CORRUPT_DATA: 'Restore the file; onError: "skip" loses this record only.',
  TFR_NOT_TFRECORD: 'Check the path, or convert the file first.',
  TFR_COMPRESSION:
    'Restore the file, or, if the content is of another kind, read it with compression: "auto"; ' +
    'onError: "stop" keeps the records before this place.',
  TFR_RECORD_TOO_LARGE:
    'If records of this size are meant, raise maxRecordBytes; onError: "skip" passes over this one.',
};

/** Native's short names, as they read in a sentence. */
const RECORD_PARTS: Readonly<Record<string, string>> = { header: 'record header', data: 'record' };

function headline(fault: Fault): string {
  const { part, detail } = fault;
  switch (fault.code) {
    case 'TFR_TRUNCATED':
      return `Truncated ${RECORD_PARTS[part] ?? (part || 'record')}`;
    case 'TFR_TRAILING_DATA':
      return `Trailing data after the end of the ${part || 'compressed stream'}${detail && ` (${detail})`}`;
    case 'TFR_CORRUPT_LENGTH':
      return 'Length checksum mismatch';
    case 'TFR_CORRUPT_DATA':
      return 'Data checksum mismatch';
    case 'TFR_NOT_TFRECORD':
      return `Not a TFRecord but ${detail || 'something else'}: wrong length checksum`;
    case 'TFR_COMPRESSION':
      return detail
        ? `Compression "${part}" was named, but the content is ${detail}`
        : `Wrong ${part || 'compressed data'}`;
    case 'TFR_RECORD_TOO_LARGE':
      return 'Record longer than allowed';
    default:
      return part;
  }
}

function whereabouts({ record, offset, compressedOffset }: Fault): string {
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

/** Checksums in hexadecimal, lengths in bytes; nothing when native gave no pair of numbers. */
function amounts(fault: Fault): { expected?: string; found?: string } {
  const { code, part, expected, found } = fault;
  if (expected === found) return {};
  switch (code) {
    case 'TFR_CORRUPT_LENGTH':
    case 'TFR_CORRUPT_DATA':
    case 'TFR_NOT_TFRECORD':
      return { expected: hex(expected), found: hex(found) };
    case 'TFR_RECORD_TOO_LARGE':
      return { expected: `at most ${bytes(expected)}`, found: bytes(found) };
    case 'TFR_TRUNCATED':
      return { expected: bytes(expected), found: bytes(found) };
    default:
      return /crc|adler|check/i.test(part)
        ? { expected: hex(expected), found: hex(found) }
        : { expected: String(expected), found: String(found) };
  }
}

function hex(checksum: bigint): string {
  return `0x${checksum.toString(16).padStart(8, '0')}`;
}

function bytes(count: number | bigint): string {
  return `${count} byte${BigInt(count) === 1n ? '' : 's'}`;
}

function describeErrno(errno: number): { code: string; number: number; text: string } {
  const map = getSystemErrorMap();
  // POSIX: libuv's numbers are errno negated. Windows: it has numbers of its own, found by name.
  const direct = process.platform === 'win32' ? undefined : map.get(-errno);
  if (direct !== undefined) return { code: direct[0], number: -errno, text: direct[1] };
  const code = Object.entries(constants.errno).find(([, value]) => value === errno)?.[0];
  for (const [number, [name, text]] of map) if (name === code) return { code, number, text };
  return { code: code ?? 'UNKNOWN', number: -errno, text: 'unknown error' };
}
