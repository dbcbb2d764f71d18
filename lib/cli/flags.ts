/** The options that commands share, and their conversion to `ReadOptions`. */
import { InvalidArgumentError, Option, type Command } from 'commander';

import { COMPRESSION_OPTIONS, MAX_RECORD_BYTES, type CompressionOption, type TFRecordError } from '../base';
import { isForeign, type ErrorAction, type ReadOptions, type SkipPolicy } from '../record';

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** Flags that describe the content of files. */
export interface ContentFlags {
  readonly compression: CompressionOption;
  readonly verify?: 'all' | 'length' | 'none';
  readonly maxRecordBytes?: number;
}

export interface ReadFlags extends ContentFlags {
  readonly onError?: ErrorAction | 'salvage';
  readonly allowLoss?: boolean;
  readonly progress: boolean;
}

/** The help text for names of files. */
export const FILES_HELP = 'paths, URLs, folders, patterns, name@N for N shards, or - for standard input';

/** Adds the argument of commands that read files. */
export function addFiles(command: Command, help = FILES_HELP): Command {
  return command.argument('<files...>', help, addFile);
}

/** Adds a file to `before`. @throws InvalidArgumentError */
export function addFile(file: string, before: readonly string[] = []): readonly string[] {
  if (file === '') throw new InvalidArgumentError('The name is empty.');
  if (file === '-' && before.includes(file)) throw new InvalidArgumentError('Standard input can be read only once.');
  return [...before, file];
}

/** Adds the argument and options of commands that print one summary for each file. */
export function addSummaryFlags(
  command: Command,
  accepts: { readonly verify: boolean; readonly onError: boolean },
): Command {
  return addReadFlags(addFiles(command).option('--json', 'one JSON object for each file, for programs'), accepts);
}

export function addReadFlags(
  command: Command,
  accepts: { readonly verify: boolean; readonly onError: boolean },
): Command {
  addCompression(command);
  if (accepts.verify) addVerify(command);
  addMaxRecordBytes(command);
  if (accepts.onError) addOnError(command);
  return command.option('--no-progress', 'no progress bar on a terminal');
}

/** Adds the options about damage. */
export function addOnError(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--on-error <action>',
        'at damage: fail, skip the lost records, stop and keep the records before it, or salvage all that can be found',
      )
        .choices(['throw', 'skip', 'stop', 'salvage'])
        .default('throw'),
    )
    .option('--allow-loss', 'exit with 0 even if bytes were given up unread');
}

/** Adds the options of commands that accept damage and show no progress. */
export function addContentFlags(command: Command): Command {
  return addMaxRecordBytes(addVerify(addCompression(command)));
}

/** Adds the option for files whose checksums are wrong on purpose. */
export function addVerify(command: Command): Command {
  return command.addOption(
    new Option('--verify <which>', 'which checksums to check').choices(['all', 'length', 'none']).default('all'),
  );
}

function addCompression(command: Command): Command {
  return command.addOption(
    new Option('--compression <kind>', 'compression of the files; auto detects it by content')
      .choices([...COMPRESSION_OPTIONS])
      .default('auto'),
  );
}

function addMaxRecordBytes(command: Command): Command {
  return command.option(
    '--max-record-bytes <size>',
    'maximum length of a record, such as 1000000 or 64M (default: 2G - 1)',
    parseSize,
  );
}

/** Read options made of flags. `onError` also decides about records that do not fit a spec: see {@link actionFor}. */
export interface FlagOptions extends ReadOptions {
  readonly onError: 'throw' | (SkipPolicy & { report: (error: TFRecordError) => void }) | StopAt;
}

type StopAt = (error: TFRecordError) => 'throw' | 'stop';

/** The part of a `Reporter` that receives the faults which the user chose to accept. */
export interface FaultListener {
  readonly losses: { allowed: boolean };
  accepted(error: TFRecordError, action: 'skip' | 'stop'): void;
}

/** Converts the flags to read options. `listener` receives every fault that the user chose to accept. */
export function readOptions(flags: ReadFlags, listener: FaultListener): FlagOptions {
  const { compression, verify, maxRecordBytes, onError = 'throw', allowLoss = false } = flags;
  listener.losses.allowed = allowLoss;
  const options = { compression, verify, maxRecordBytes };
  // Without a function for the policy, readers read ahead as far as they can.
  if (onError === 'throw') return { ...options, onError };
  if (onError === 'stop') {
    const stop: StopAt = (error) => {
      if (givesNothing(error)) return 'throw';
      listener.accepted(error, 'stop');
      return 'stop';
    };
    return { ...options, onError: stop };
  }
  // With a policy instead of a function, readers count the bytes that they give up, also those of streams.
  const report = (error: TFRecordError): void => {
    if (givesNothing(error)) throw error;
    listener.accepted(error, 'skip');
  };
  return { ...options, onError: { action: onError, maxRate: 1, report } };
}

/**
 * Returns the decision of `onError` about a record that does not fit. @throws `error` if its file has no record at all
 */
export function actionFor(error: TFRecordError, { onError }: FlagOptions): ErrorAction {
  if (typeof onError === 'string') return onError;
  if (typeof onError === 'function') return onError(error);
  onError.report(error);
  return 'skip';
}

/** True for the error of a file that is missing, or no TFRecord file. `--on-error` does not apply to it. */
function givesNothing(error: TFRecordError): boolean {
  const { code, region } = error;
  if (region?.after !== undefined) return false;
  return !code.startsWith('TFR_') || code === 'TFR_NOT_TFRECORD' || isForeign(error);
}

/** Parses a size in bytes: digits, then optionally K, M or G (powers of 1,024). */
export function parseSize(text: string): number {
  const match = /^(\d+)([kmg]?)(?:i?b)?$/i.exec(text.trim());
  const size = match === null ? NaN : Number(match[1]) * (UNITS[(match[2] ?? '').toLowerCase()] ?? NaN);
  if (!(size <= MAX_RECORD_BYTES)) {
    throw new InvalidArgumentError(`A size is a number, optionally with K, M or G, up to ${MAX_RECORD_BYTES} bytes.`);
  }
  return size;
}

/** Parses names with commas between them; blanks around a name do not count. */
export function parseNames(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim());
}

/** Parses the character between fields. Shells pass \\t as two characters. */
export function parseDelimiter(text: string): string {
  return text === '\\t' ? '\t' : text;
}

/** Parses a number of records. */
export function parseCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(count)) throw new InvalidArgumentError('Expected a number of records, 0 or more.');
  return count;
}

/** Parses a seed: an integer from -2^63 to 2^64 - 1. */
export function parseSeed(text: string): bigint {
  const seed = /^-?\d{1,20}$/.test(text) ? BigInt(text) : undefined;
  if (seed === undefined || seed < -(2n ** 63n) || seed >= 2n ** 64n) {
    throw new InvalidArgumentError('A seed is an integer from -2^63 to 2^64 - 1.');
  }
  return seed;
}

/** Adds a pattern of tags to those before. @throws InvalidArgumentError */
export function addTag(pattern: string, before: readonly string[] = []): readonly string[] {
  if (pattern === '') throw new InvalidArgumentError('The pattern is empty.');
  return [...before, pattern];
}
