import {
  checkBoolean,
  checkChoice,
  checkInteger,
  checkOptions,
  checkSignal,
  COMPRESSION_OPTIONS,
  compressionNumber,
  DEFAULT_MAX_RECORD_BYTES,
  invalidArgValue,
  MAX_RECORD_BYTES,
  type CompressionOption,
} from '../../base';
import { compressionByName, DEFAULT_LEVEL, MAX_LEVEL } from '../../io';
import { native } from '../../native';

/** Options of writing. Unknown names throw. */
export interface WriteOptions {
  /**
   * Default: `auto`, which goes by the name of the target: `.gz` is gzip, `.zz` and `.zlib` are zlib, all other names and
   * streams are plain.
   */
  compression?: CompressionOption | undefined;
  /**
   * Compression level: 0 stores, 1 is fastest, 9 is smallest. Default: 6, with which no file is more than 1 % larger than
   * TensorFlow's. Refused if nothing is compressed.
   */
  level?: number | undefined;
  /**
   * Number of slabs of 1 MiB to checksum and compress at a time, 1 to 64. Default: one per core, at least 2. A ZLIB file
   * is a single stream, so more than one thread hardly helps.
   */
  threads?: number | undefined;
  /**
   * `true` writes under a temporary name in the same folder, syncs, and renames. Whatever happens, the target is the old
   * file or the complete new one. The new file has the mode of the one that it replaces. Devices, pipes, symbolic links
   * and files with several hard links are always written in place. If two writers write the same file, the later `close`
   * wins, with a warning (TFR_REPLACED).
   *
   * `false` truncates the file and writes it in place. A second writer of that file in the process is refused (EBUSY),
   * under any name and in any thread.
   *
   * Default: `true`.
   */
  atomic?: boolean | undefined;
  /**
   * `true` writes after the records of an existing file, plain or GZIP, in place; a missing file is created.
   * First the lengths of all its records are read and checked. A torn record at its end, which a crash leaves, is trimmed,
   * with the warning TFR_TRIMMED; other damage is an error. `compression` must be that of the file, or be left out. A ZLIB
   * file is refused (TFR_COMPRESSION), and so is a stream.
   *
   * `abort`, and an error, give the file its former length. Readers see new records before `close`. One writer at a time:
   * a second one, of any process, gets EBUSY. So does `close` if the file was replaced or removed meanwhile, and writing
   * if another program writes the file. Windows has no lock: a second writer gets EBUSY when it writes. WebAssembly has
   * none either, and does not append: ENOSYS.
   *
   * Default: `false`.
   */
  append?: boolean | undefined;
  /**
   * Longest record, in bytes. For a longer one, `write` throws TFR_RECORD_TOO_LARGE. Default: 2^31 - 1 (in Electron
   * 2^31 - 2^21 - 16), which is also the default limit of readers.
   */
  maxRecordBytes?: number | undefined;
  /**
   * `true` also writes the index of the file, `FILE.tfindex`, with which `openIndexed` reads any record. `close` saves it after
   * the file has got its name, and rejects if that fails; the file then exists without an index. ZLIB files, and files that were
   * appended to, are scanned for it; for others it is made while writing. Refused for streams and objects. Default: `false`.
   */
  index?: boolean | undefined;
  /** Discards the file when it aborts. All later calls reject with `signal.reason`. */
  signal?: AbortSignal | undefined;
}

/** Checked options with their defaults, as the addon takes them. */
export interface WritePlan {
  /** Index in `COMPRESSIONS`. */
  readonly compression: number;
  readonly level: number;
  readonly threads: number;
  readonly atomic: boolean;
  readonly append: boolean;
  readonly maxRecordBytes: number;
  readonly index: boolean;
  readonly signal: AbortSignal | undefined;
}

export const WRITE_OPTION_NAMES = [
  'compression',
  'level',
  'threads',
  'atomic',
  'append',
  'maxRecordBytes',
  'index',
  'signal',
] as const satisfies readonly (keyof WriteOptions)[];
const MAX_THREADS = 64;

/** Checks `options`. `name` is the target's name, for `compression: 'auto'`. @throws TypeError, RangeError */
export function resolveWriteOptions(options: WriteOptions | undefined, name: string): WritePlan {
  const given = checkOptions(options, WRITE_OPTION_NAMES);
  const chosen = checkChoice('options.compression', given.compression, COMPRESSION_OPTIONS, 'auto');
  const compression = chosen === 'auto' ? compressionByName(name) : chosen;
  const level = checkInteger('options.level', given.level, 0, MAX_LEVEL, undefined);
  if (level !== undefined && compression === 'none') {
    const why = chosen === 'auto' ? 'the name of the target ends in none of .gz, .zz, .zlib' : 'compression is "none"';
    throw invalidArgValue('options.level', `absent, because nothing is compressed (${why})`, level);
  }
  const append = checkBoolean('options.append', given.append, false);
  if (append && given.atomic === true) {
    throw invalidArgValue('options.atomic', 'absent or false, because records are appended in place', true);
  }
  return {
    compression: compressionNumber(compression),
    level: level ?? DEFAULT_LEVEL,
    threads: checkInteger('options.threads', given.threads, 1, MAX_THREADS, native().info().threads),
    atomic: checkBoolean('options.atomic', given.atomic, true),
    append,
    maxRecordBytes: checkInteger(
      'options.maxRecordBytes',
      given.maxRecordBytes,
      0,
      MAX_RECORD_BYTES,
      DEFAULT_MAX_RECORD_BYTES,
    ),
    index: checkBoolean('options.index', given.index, false),
    signal: checkSignal('options.signal', given.signal),
  };
}
