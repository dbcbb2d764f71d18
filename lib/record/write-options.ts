import { native } from '../native';
import { checkBoolean, checkChoice, checkInteger, checkOptions, checkSignal } from './validate';

/** How to write. Unknown names throw. */
export interface WriteOptions {
  /** `auto` goes by the name: `.gz` is gzip, `.zz` and `.zlib` are zlib, all others and streams plain. Default `auto`. */
  compression?: 'auto' | 'none' | 'gzip' | 'zlib' | undefined;
  /**
   * 0 stores, 1 is fastest, 9 smallest. Default 6: no file more than 1 % larger than TensorFlow's. Ignored when nothing
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
   * files with several hard links are written in place even so. `false` truncates and writes in place. Default `true`.
   */
  atomic?: boolean | undefined;
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
  readonly signal: AbortSignal | undefined;
}

const OPTION_NAMES = [
  'compression',
  'level',
  'threads',
  'atomic',
  'signal',
] as const satisfies readonly (keyof WriteOptions)[];
const COMPRESSIONS = ['auto', 'none', 'gzip', 'zlib'] as const;
const MAX_THREADS = 64;

/** `name`: of the target, for `compression: 'auto'`. @throws TypeError, RangeError with Node's codes. */
export function resolveWriteOptions(options: WriteOptions | undefined, name: string): WritePlan {
  const given = checkOptions(options, OPTION_NAMES);
  const compression = checkChoice('options.compression', given.compression, COMPRESSIONS, 'auto');
  return {
    compression: COMPRESSIONS.indexOf(compression === 'auto' ? compressionOf(name) : compression),
    level: checkInteger('options.level', given.level, 0, 9, 6),
    threads: checkInteger('options.threads', given.threads, 1, MAX_THREADS, native().info().threads),
    atomic: checkBoolean('options.atomic', given.atomic, true),
    signal: checkSignal('options.signal', given.signal),
  };
}

/** By the end of the name, in upper or lower case. */
function compressionOf(name: string): 'none' | 'gzip' | 'zlib' {
  if (/\.gz$/i.test(name)) return 'gzip';
  return /\.(zz|zlib)$/i.test(name) ? 'zlib' : 'none';
}
