import { fileURLToPath } from 'node:url';

import {
  checkBoolean,
  checkCallback,
  checkChoice,
  checkInteger,
  checkOptions,
  checkSignal,
  checkWellFormed,
  invalidArgType,
  invalidArgValue,
  isObject,
  isUrl,
  MAX_RECORD_BYTES,
  outOfRange,
  type CompressionOption,
} from '../base';
import { seedWords, type Seed, type Words } from '../dataset';
import type { SequenceExampleSpec, Spec } from '../example';
import { checkVerification, type OnError } from '../record';
import type { ConvertFormat, InputFormatName } from './formats';
import { partOf, type Part } from './job/parts';
import { isSide } from './output/names';

/** The progress of a conversion. */
export interface ConvertProgress {
  /** `count`: records are counted, or looked at, before any is written; `shuffle`: they are dealt to temporary files. */
  readonly phase: 'count' | 'shuffle' | 'write';
  /** Bytes that this phase has read so far, as stored. */
  readonly bytes: number;
  /** Bytes that it reads in all; undefined if that is not known. */
  readonly totalBytes: number | undefined;
  /** Records that were written so far. */
  readonly records: number;
}

/** Options of {@link convert}. Unknown names throw. */
export interface ConvertOptions {
  /** Format of the input. Default: by the extension of the files; `images` for a folder; TFRecord for others. */
  from?: InputFormatName | undefined;
  /** Format of the output. Default: by its extension; TFRecord for others. */
  to?: ConvertFormat | undefined;
  /**
   * The features to convert, and their types. TFRecord → TFRecord has no use for it: use `features`. For pictures with
   * `labels`: the types of the labels' features; others stay as they are.
   */
  spec?: Spec | SequenceExampleSpec | undefined;
  /** Keeps these features only, byte by byte. Of SequenceExamples: of the context, and of the feature lists. */
  features?: readonly string[] | undefined;
  /**
   * Leaves these features out, instead of `features`; all else of the records stays as it is. In a file of Parquet or Arrow
   * a struct is called by its column, or its fields one by one as `name/field`.
   */
  exclude?: readonly string[] | undefined;
  /**
   * For Parquet and Arrow: dates and timestamps become int64 (microseconds since 1970-01-01T00:00 UTC), or text (ISO 8601).
   * Default: as `spec` says; without one they are an error.
   */
  dates?: 'int64' | 'text' | undefined;
  /** For CSV and TSV, also of labels: true makes an error of a number that float32 would round. Default: a note counts them. */
  exact?: boolean | undefined;
  /** For CSV and TSV, also of labels: texts that count as no value where they have no quotes, as `['NA', 'NULL']`. Default: none. */
  na?: readonly string[] | undefined;
  /**
   * For CSV and TSV: the character between fields, one of ASCII, as `';'`. Of the input, or of its labels, if that is
   * CSV or TSV; else of the output, which must be CSV. Default: a comma, or a tab.
   */
  delimiter?: string | undefined;
  /**
   * For a folder of pictures: a file with a line for each, as CSV (`.csv`, `.tsv`) or JSON Lines (`.jsonl`, `.ndjson`). Its
   * column `file` (or `filename`, `file_name`, `image`) is the path in the folder, `label` is the class, a text or an
   * integer; all others become features of their own. Default: the class is the sub-folder.
   */
  labels?: string | URL | undefined;
  /**
   * For pictures: the names of all classes, in the order of their numbers, from 0 on. A picture of another class is an
   * error. Default: the sub-folders, or the labels that are texts, in byte order.
   */
  classes?: readonly string[] | undefined;
  /**
   * SQL that says which records to keep, of the features by their names: `'label = 3'`. Records that do not have a feature
   * have NULL. It needs `@duckdb/node-api`. Outputs of `shards` share the records of the input, so their numbers differ.
   */
  where?: string | undefined;
  /** True: numbers of 64-bit floating point become the nearest float32. Default: those that would change are errors. */
  round?: boolean | undefined;
  /**
   * Number of outputs, 1 to 99,999: `NAME-00000-of-00010.EXT`, each with as many records as the others, in order. With
   * `shard`: of all parts together. Default: one, called as `output` says.
   */
  shards?: number | undefined;
  /**
   * Instead of `shards`: largest size of an output, in bytes, before compression. A longer record has an output of its
   * own. For TFRecord → TFRecord.
   */
  maxBytes?: number | undefined;
  /**
   * Shares of records, for example `{ train: 0.9, eval: 0.1 }`: each side gets outputs of its own, `NAME-train.EXT`, or
   * `NAME-train-00000-of-00010.EXT`. A hash of the record decides, so equal records are always on the same side.
   */
  split?: Readonly<Record<string, number>> | undefined;
  /** The feature whose values are hashed for `split`. Default: the whole record. */
  splitBy?: string | undefined;
  /**
   * True: writes the records in random order. That takes disk space beside the output for all records, uncompressed.
   * Default: true if there is a `seed`.
   */
  shuffle?: boolean | undefined;
  /** Seed of the order. The same input, options and seed give the same order. Default: one that the system draws. */
  seed?: Seed | undefined;
  /** Compression of the outputs. Default: `auto`, by the extension: `.gz`, `.zz`, `.zlib`; none for others. */
  compression?: CompressionOption | undefined;
  /** Level of the compression, 0 to 9. Default: 6. */
  level?: number | undefined;
  /**
   * Converts a part of the files only: `'i/N'` (i from 0 to N − 1), `{ index, count }`, or `'auto'`, which asks the
   * environment that a scheduler sets (docs/conversion.md). The outputs go to the folder `OUT.part-i-of-N`, and
   * {@link mergeParts} joins the parts.
   */
  shard?: string | Part | undefined;
  /**
   * True: outputs that an earlier run of the same job has finished are kept, and the job goes on with the others. A job
   * that is complete does nothing. With it a job of one output has a manifest, too. Default: false.
   */
  resume?: boolean | undefined;
  /** True: replaces outputs that exist, and the manifest. Default: false, which refuses. */
  force?: boolean | undefined;
  /** Handling of damage, and of records that cannot be converted. Default: `throw`. */
  onError?: OnError | undefined;
  /**
   * The checksums of TFRecord inputs to verify, as for `readRecords`: `none` is for files whose checksums are wrong on
   * purpose. Outputs have right ones. Default: `all`.
   */
  verify?: 'all' | 'length' | 'none' | undefined;
  /** Longest record, in bytes. Default: 2^31 - 1. */
  maxRecordBytes?: number | undefined;
  /** Ends the job when it aborts: unfinished outputs are removed, and `convert` rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Called many times a second. The job ends if it throws, or soon after a promise that it returns is rejected. */
  onProgress?: ((progress: ConvertProgress) => unknown) | undefined;
}

const OPTION_NAMES = [
  'from',
  'to',
  'spec',
  'features',
  'exclude',
  'dates',
  'exact',
  'na',
  'delimiter',
  'labels',
  'classes',
  'where',
  'round',
  'shards',
  'maxBytes',
  'split',
  'splitBy',
  'shuffle',
  'seed',
  'compression',
  'level',
  'shard',
  'resume',
  'force',
  'onError',
  'verify',
  'maxRecordBytes',
  'signal',
  'onProgress',
] as const satisfies readonly (keyof ConvertOptions)[];

/** Most outputs of a job, or of a side of a split. */
export const MAX_SHARDS = 99_999;

/** Checked options that no format has a say in. */
export interface ConvertPlan extends Pick<
  ConvertOptions,
  | 'from'
  | 'to'
  | 'spec'
  | 'where'
  | 'dates'
  | 'compression'
  | 'level'
  | 'onError'
  | 'maxRecordBytes'
  | 'signal'
  | 'onProgress'
> {
  readonly features: readonly string[] | undefined;
  readonly exclude: readonly string[] | undefined;
  readonly exact: boolean;
  readonly na: readonly string[] | undefined;
  readonly delimiter: string | undefined;
  readonly round: boolean;
  readonly verify: 'all' | 'length' | 'none';
  readonly labels: string | undefined;
  readonly classes: readonly string[] | undefined;
  readonly shards: number | undefined;
  readonly maxBytes: number | undefined;
  readonly split: Readonly<Record<string, number>> | undefined;
  readonly splitBy: string | undefined;
  readonly shuffle: boolean;
  readonly seed: Words | undefined;
  readonly part: Part | undefined;
  readonly resume: boolean;
  readonly force: boolean;
}

/** Checks `options`. @throws TypeError, RangeError with Node's codes */
export function checkConvertOptions(options: ConvertOptions | undefined): ConvertPlan {
  const given = checkOptions(options, OPTION_NAMES);
  const { seed, split, splitBy, features, exclude, dates, na, delimiter } = given;
  const shards = checkInteger('options.shards', given.shards, 1, MAX_SHARDS, undefined);
  const maxBytes = checkInteger('options.maxBytes', given.maxBytes, 1, Number.MAX_SAFE_INTEGER, undefined);
  const shuffle = checkBoolean('options.shuffle', given.shuffle, seed !== undefined);
  const resume = checkBoolean('options.resume', given.resume, false);
  const force = checkBoolean('options.force', given.force, false);
  const absent = (name: keyof ConvertOptions, why: string): Error =>
    invalidArgValue(`options.${name}`, `absent, because ${why}`, given[name]);
  if (maxBytes !== undefined && shards !== undefined)
    throw absent('maxBytes', 'shards says how many outputs there are');
  if (maxBytes !== undefined && shuffle)
    throw absent('maxBytes', 'records are shuffled: say how many shards there are');
  if (seed !== undefined && !shuffle) throw absent('seed', 'shuffle is false');
  if (features !== undefined && exclude !== undefined) throw absent('exclude', 'features says what is kept');
  if (resume && force) throw absent('force', 'resume keeps what force would replace');
  if (splitBy !== undefined && split === undefined) throw absent('splitBy', 'there is no split');
  if (given.where !== undefined && typeof given.where !== 'string') {
    throw invalidArgType('options.where', 'a string', given.where);
  }
  if (given.where !== undefined) checkWellFormed('options.where', given.where);
  checkCallback('options.onProgress', given.onProgress);
  checkInteger('options.level', given.level, 0, 9, undefined);
  return {
    ...given,
    features: features === undefined ? undefined : checkNames('features', features),
    exclude: exclude === undefined ? undefined : checkNames('exclude', exclude),
    dates: dates === undefined ? undefined : checkChoice('options.dates', dates, DATES, 'text'),
    exact: checkBoolean('options.exact', given.exact, false),
    na: na === undefined ? undefined : checkNames('na', na),
    delimiter: delimiter === undefined ? undefined : checkDelimiter(delimiter),
    round: checkBoolean('options.round', given.round, false),
    labels: given.labels === undefined ? undefined : checkPath('options.labels', given.labels),
    classes: given.classes === undefined ? undefined : checkClasses(given.classes),
    shards,
    maxBytes,
    split: split === undefined ? undefined : checkSplit(split),
    splitBy: splitBy === undefined ? undefined : checkName('options.splitBy', splitBy),
    shuffle,
    seed: seed === undefined ? undefined : seedWords('options.seed', seed),
    part: partOf(given.shard),
    resume,
    force,
    verify: checkVerification(given.verify),
    maxRecordBytes: checkInteger('options.maxRecordBytes', given.maxRecordBytes, 0, MAX_RECORD_BYTES, undefined),
    signal: checkSignal('options.signal', given.signal),
  };
}

function checkNames(option: string, names: readonly string[]): readonly string[] {
  if (!Array.isArray(names)) throw invalidArgType(`options.${option}`, 'an array of names', names);
  if (names.length === 0) throw invalidArgValue(`options.${option}`, 'an array of at least one name', names);
  // Not `map`, which leaves out holes.
  return Array.from(names, (name, i) => checkName(`options.${option}[${i}]`, name));
}

const DATES = ['int64', 'text'] as const;

function checkDelimiter(delimiter: unknown): string {
  if (typeof delimiter !== 'string') throw invalidArgType('options.delimiter', 'a character', delimiter);
  if (!/^[\x01-\x7f]$/.test(delimiter) || /["\r\n]/.test(delimiter)) {
    throw invalidArgValue('options.delimiter', 'one character of ASCII, no quote and no line end', delimiter);
  }
  return delimiter;
}

function checkClasses(classes: readonly string[]): readonly string[] {
  const names = checkNames('classes', classes);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw invalidArgValue('options.classes', 'names that differ', twice);
  return names;
}

function checkPath(option: string, path: unknown): string {
  const text = isUrl(path) && path.protocol === 'file:' ? fileURLToPath(path) : path;
  if (typeof text !== 'string') throw invalidArgType(option, 'a path or a file URL', path);
  if (text === '' || text.includes('\0')) throw invalidArgValue(option, 'the path of a file', path);
  return text;
}

function checkName(option: string, name: unknown): string {
  if (typeof name !== 'string') throw invalidArgType(option, 'a name', name);
  checkWellFormed(option, name);
  return name;
}

/** The shares of a split may differ from 1 by so much together, because decimals are no binary fractions. */
const TOLERANCE = 1e-9;

function checkSplit(split: unknown): Readonly<Record<string, number>> {
  if (!isObject(split) || Array.isArray(split)) {
    throw invalidArgType('options.split', 'an object: { train: 0.9, eval: 0.1 }', split);
  }
  let sum = 0;
  for (const [side, share] of Object.entries(split)) {
    if (!isSide(side)) {
      throw invalidArgValue('a name in options.split', 'letters, digits, _ and ., beginning with a letter', side);
    }
    if (typeof share !== 'number') throw invalidArgType(`options.split.${side}`, 'a number', share);
    if (!(share > 0 && share <= 1))
      throw outOfRange(`options.split.${side}`, 'above 0 and at most 1: all shares add up to 1', share);
    sum += share;
  }
  if (!(Math.abs(sum - 1) <= TOLERANCE)) throw outOfRange('options.split', 'shares that add up to 1', sum);
  return { ...(split as Readonly<Record<string, number>>) };
}
