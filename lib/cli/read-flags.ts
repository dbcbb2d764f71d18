/** The options that every command shares, from their spelling on the command line to `ReadOptions`. */
import { InvalidArgumentError, Option, type Command } from 'commander';

import type { TFRecordError } from '../errors';
import { COMPRESSION_OPTIONS, type CompressionOption, type ErrorAction, type ReadOptions } from '../record';

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

export interface ReadFlags {
  readonly compression: CompressionOption;
  readonly verify?: 'all' | 'length' | 'none';
  readonly maxRecordBytes?: number;
  readonly onError?: 'throw' | 'skip' | 'stop';
  readonly progress: boolean;
}

export function addReadFlags(
  command: Command,
  accepts: { readonly verify: boolean; readonly onError: boolean },
): Command {
  command.addOption(
    new Option('--compression <kind>', 'how the files are compressed; auto judges by content')
      .choices([...COMPRESSION_OPTIONS])
      .default('auto'),
  );
  if (accepts.verify) {
    command.addOption(
      new Option('--verify <which>', 'which checksums to check').choices(['all', 'length', 'none']).default('all'),
    );
  }
  command.option('--max-record-bytes <size>', 'refuse longer records, as 1000000 or 64M (default: 2G - 1)', parseSize);
  if (accepts.onError) {
    command.addOption(
      new Option('--on-error <action>', 'damage: fail, pass over what is lost, or take what came before')
        .choices(['throw', 'skip', 'stop'])
        .default('throw'),
    );
  }
  return command.option('--no-progress', 'no progress bar on a terminal');
}

/** What the flags say; `onError` decides about anything else that turns out to be at fault, too. */
export interface FlagOptions extends ReadOptions {
  readonly onError: (error: TFRecordError) => ErrorAction;
}

/** `report` hears of every fault that the user chose to accept. */
export function readOptions(flags: ReadFlags, report: (error: TFRecordError) => void): FlagOptions {
  const { compression, verify, maxRecordBytes, onError = 'throw' } = flags;
  return {
    compression,
    verify,
    maxRecordBytes,
    onError: (error) => {
      if (onError === 'throw' || givesNothing(error)) return 'throw';
      report(error);
      return onError;
    },
  };
}

/** A file that is missing, or of which nothing at all can be read, is no damage that one could accept. */
function givesNothing({ code, record }: TFRecordError): boolean {
  if (!code.startsWith('TFR_') || code === 'TFR_NOT_TFRECORD') return true;
  return code === 'TFR_COMPRESSION' && record === 0;
}

/** A size in bytes: digits, then K, M or G (times 1,024). */
export function parseSize(text: string): number {
  const match = /^(\d+)([kmg]?)(?:i?b)?$/i.exec(text.trim());
  const size = match === null ? NaN : Number(match[1]) * (UNITS[(match[2] ?? '').toLowerCase()] ?? NaN);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- help and other commands do without the reader
  const { MAX_RECORD_BYTES } = require('../record') as typeof import('../record');
  if (!(size <= MAX_RECORD_BYTES)) {
    throw new InvalidArgumentError(`A size is digits, then K, M or G if you like, up to ${MAX_RECORD_BYTES} bytes.`);
  }
  return size;
}

/** A number of records. */
export function parseCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(count)) throw new InvalidArgumentError('A number of records, 0 or more, is expected.');
  return count;
}
