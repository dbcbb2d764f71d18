import { constants } from 'node:buffer';

import {
  checkChoice,
  checkInteger,
  checkOptions,
  counted,
  invalidArgValue,
  type Bytes,
  codeOf,
  thrownText,
  named,
  worded,
} from '../base';
import { CODEC_NAMES, compressionByMagic } from '../io';
import { byteStringsOf, bytesOf, isByteString, type ByteStrings } from './arguments';
import { decodeError } from './decode-error';

/** Options of {@link decodeCompressed}. */
export interface DecodeCompressedOptions {
  /** The compression of the input. Default: `none`, which copies the bytes. `zstd` needs Node 22.15, 23.8 or newer. */
  readonly compression?: 'none' | 'gzip' | 'zlib' | 'zstd' | undefined;
  /**
   * Maximum size of the output of one input, in bytes. A larger output throws before it is allocated. Default: 2^30 (1
   * GiB).
   */
  readonly maxOutputLength?: number | undefined;
}

const DEFAULT_MAX_OUTPUT = 2 ** 30;
const CHUNK = 65_536;
type Compression = 'gzip' | 'zlib' | 'zstd';
type Unpack = typeof import('node:zlib').inflateSync;

/** Returns Node's function for `compression`; undefined if this version of Node lacks it. */
function unpackOf(compression: Compression): Unpack | undefined {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- takes 0.3 MB of heap: loaded when it is first used
  const zlib = require('node:zlib');
  // Missing in Node 20 and in its types.
  const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: Unpack };
  return { gzip: zlib.gunzipSync, zlib: zlib.inflateSync, zstd: zstdDecompressSync }[compression];
}

/**
 * Inflates bytes, like tf.io.decode_compressed (the op DecodeCompressed), but never returns incomplete data. Reads all
 * GZIP members, ZLIB streams or Zstandard frames of the input, one after another. An input that is empty, cut short or
 * damaged, or that has other bytes after its end, is an error.
 *
 * @param input - Compressed bytes, or a list of them.
 * @returns The inflated bytes, or a list of them for a list.
 * @throws TFRecordError TFR_DECODE for wrong input or output over `maxOutputLength`, with the index in a list as `record`.
 *   TypeError or RangeError for wrong arguments.
 *
 * @example
 * const [text] = decodeCompressed([gzipSync('text')], { compression: 'gzip' });
 */
export function decodeCompressed(input: Uint8Array, options?: DecodeCompressedOptions): Bytes;
export function decodeCompressed(input: ByteStrings, options?: DecodeCompressedOptions): Bytes[];
export function decodeCompressed(input: Uint8Array | ByteStrings, options?: DecodeCompressedOptions): Bytes | Bytes[] {
  const given = checkOptions(options, ['compression', 'maxOutputLength']);
  const kinds = [...CODEC_NAMES, 'zstd'] as const;
  const compression = checkChoice('options.compression', given.compression, kinds, 'none');
  if (compression !== 'none' && unpackOf(compression) === undefined) {
    const expected = `none, gzip or zlib: zstd needs Node 22.15, 23.8 or newer, and this is ${process.version}`;
    throw invalidArgValue('options.compression', expected, compression);
  }
  const max = constants.MAX_LENGTH;
  const limit = checkInteger('options.maxOutputLength', given.maxOutputLength, 0, max, DEFAULT_MAX_OUTPUT);
  if (isByteString(input)) return decodeOne(bytesOf('input', input), compression, limit, undefined);
  return byteStringsOf('input', input).map((bytes, i) => decodeOne(bytes, compression, limit, i));
}

function decodeOne(
  bytes: Uint8Array,
  compression: 'none' | Compression,
  limit: number,
  record: number | undefined,
): Bytes {
  const where = record === undefined ? 'Input' : `Element ${record}`;
  if (compression === 'none') {
    if (bytes.byteLength > limit) throw tooLong(where, record, limit);
    return new Uint8Array(bytes);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  let at = 0;
  do {
    const part = inflateStream(bytes.subarray(at), compression, limit - size, { where, record, limit, at });
    parts.push(part.output);
    size += part.output.byteLength;
    at += part.consumed;
  } while (at < bytes.byteLength);
  return joined(parts, size);
}

interface StreamPosition {
  readonly where: string;
  readonly record: number | undefined;
  readonly limit: number;
  /** First byte of the stream in the input. */
  readonly at: number;
}

/** Inflates one ZLIB stream or Zstandard frame, or all remaining GZIP members, from the start of `bytes`. */
function inflateStream(
  bytes: Uint8Array,
  compression: Compression,
  room: number,
  place: StreamPosition,
): { readonly output: Uint8Array; readonly consumed: number } {
  const { where, record, limit, at } = place;
  const expected = `${compression} data up to its end`;
  // Node ignores zeros between GZIP members and after them.
  if (at > 0 && !startsStream(bytes, compression)) {
    const found = `${counted(bytes.byteLength, 'byte')} of something else after ${counted(at, 'byte')} of it`;
    throw decodeError({ where, record, expected, found });
  }
  try {
    const options = { info: true, maxOutputLength: Math.max(1, room), chunkSize: CHUNK } as const;
    const unpack = unpackOf(compression)!;
    const { buffer, engine } = unpack(bytes, options) as unknown as Unpacked;
    if (buffer.byteLength > room) throw tooLong(where, record, limit);
    return { output: buffer, consumed: engine.bytesWritten };
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(where, record, limit);
    if (typeof code !== 'string' || !/^(?:Z_|ZSTD_error_)/.test(code) || /mem(?:ory|_)/i.test(code)) throw cause;
    const found =
      code === 'Z_BUF_ERROR'
        ? `data that is cut short after ${counted(at + bytes.byteLength, 'byte')}`
        : thrownText(cause);
    throw decodeError({ where, record, expected, found, cause });
  }
}

/** The result of Node's functions with `info: true`, which Node's types lack. */
interface Unpacked {
  readonly buffer: Buffer;
  /** `bytesWritten` is the number of input bytes that were used. */
  readonly engine: { readonly bytesWritten: number };
}

function startsStream(bytes: Uint8Array, compression: Compression): boolean {
  const [first = 0, second = 0] = bytes;
  // A frame, or a skippable frame (RFC 8878, sections 3.1.1 and 3.1.2).
  if (compression === 'zstd')
    return (first === 0x28 && second === 0xb5) || ((first & 0xf0) === 0x50 && second === 0x2a);
  return compressionByMagic(first, second) === compression;
}

function tooLong(where: string, record: number | undefined, limit: number): Error {
  const expected = `at most ${counted(limit, 'byte')} of output`;
  const cure = worded`${named('maxOutputLength', 'options.maxOutputLength')} is the limit.`;
  return decodeError({ where, record, expected, found: 'more', cure });
}

function joined(parts: readonly Uint8Array[], size: number): Bytes {
  const output = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    output.set(part, at);
    at += part.byteLength;
  }
  return output;
}
