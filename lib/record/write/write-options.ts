import { invalidArgValue } from '../../errors';
import { COMPRESSION_OPTIONS, compressionNumber, native, type Compression, type CompressionOption } from '../../native';
import { checkBoolean, checkChoice, checkInteger, checkOptions, checkSignal } from '../arguments';
import { DEFAULT_MAX_RECORD_BYTES, MAX_RECORD_BYTES } from '../format';

/** How to write. Unknown names throw. */
export interface WriteOptions {
  /** `auto` goes by the name: `.gz` is gzip, `.zz` and `.zlib` are zlib, all others and streams plain. Default `auto`. */
  compression?: CompressionOption | undefined;
  /**
   * 0 stores, 1 is fastest, 9 smallest. Default 6: no file more than 1 % larger than TensorFlow's. Refused where nothing
   * is compressed.
   */
  level?: number | undefined;
  /**
   * How many slabs of 1 MiB are summed and compressed at a time, 1 to 64. Default: one a core, at least 2. ZLIB files
   * are one stream, so more than one thread hardly helps them.
   */
  threads?: number | undefined;
  /**
   * `true` writes to a temporary name in the same folder, syncs and renames, so that the target is the old file or the
   * whole new one, whatever happens; a file that is replaced passes on its mode. Devices, pipes, symbolic links and
   * files with several hard links are always written in place. If two writers write the same file, the later `close`
   * wins, with a warning (TFR_REPLACED). `false` truncates the file and writes it in place; a second writer of that
   * file in the process is refused (EBUSY), under any name and in any thread. Default `true`.
   */
  atomic?: boolean | undefined;
  /**
   * Longest record, in bytes; for a longer one `write` throws TFR_RECORD_TOO_LARGE. Default 2^31 - 1, which is also the
   * default limit of readers.
   */
  maxRecordBytes?: number | undefined;
  /** Aborts: the file is given up, and everything after rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
}

/** Options with defaults filled in, in the terms of the native surface. */
export interface WritePlan {
  /** 1 none, 2 gzip, 3 zlib. */
  readonly compression: number;
  readonly level: number;
  readonly threads: number;
  readonly atomic: boolean;
  readonly maxRecordBytes: number;
  readonly signal: AbortSignal | undefined;
}

export const WRITE_OPTION_NAMES = [
  'compression',
  'level',
  'threads',
  'atomic',
  'maxRecordBytes',
  'signal',
] as const satisfies readonly (keyof WriteOptions)[];
const MAX_THREADS = 64;

/** `name`: of the target, for `compression: 'auto'`. @throws TypeError, RangeError with Node's codes. */
export function resolveWriteOptions(options: WriteOptions | undefined, name: string): WritePlan {
  const given = checkOptions(options, WRITE_OPTION_NAMES);
  const chosen = checkChoice('options.compression', given.compression, COMPRESSION_OPTIONS, 'auto');
  const compression = chosen === 'auto' ? compressionOf(name) : chosen;
  const level = checkInteger('options.level', given.level, 0, 9, undefined);
  if (level !== undefined && compression === 'none') {
    const why = chosen === 'auto' ? 'the name of the target ends in none of .gz, .zz, .zlib' : 'compression is "none"';
    throw invalidArgValue('options.level', `absent, because nothing is compressed (${why})`, level);
  }
  return {
    compression: compressionNumber(compression),
    level: level ?? 6,
    threads: checkInteger('options.threads', given.threads, 1, MAX_THREADS, native().info().threads),
    atomic: checkBoolean('options.atomic', given.atomic, true),
    maxRecordBytes: checkInteger(
      'options.maxRecordBytes',
      given.maxRecordBytes,
      0,
      MAX_RECORD_BYTES,
      DEFAULT_MAX_RECORD_BYTES,
    ),
    signal: checkSignal('options.signal', given.signal),
  };
}

/** By the end of the name, in upper or lower case. */
function compressionOf(name: string): Compression {
  if (/\.gz$/i.test(name)) return 'gzip';
  return /\.(zz|zlib)$/i.test(name) ? 'zlib' : 'none';
}
