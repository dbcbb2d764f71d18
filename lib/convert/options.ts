import { fileURLToPath } from 'node:url';

import { seedWords, type Seed, type Words } from '../dataset';
import {
  invalidArgType,
  invalidArgValue,
  outOfRange,
  named,
  worded,
  type Text,
  checkBoolean,
  checkCallback,
  checkChoice,
  checkInteger,
  checkOptions,
  checkSignal,
  checkWellFormed,
  isObject,
  isUrl,
  MAX_RECORD_BYTES,
  type CompressionOption,
} from '../base';
import { checkPartitions, type MessageType, type SequenceExampleSpec, type Spec } from '../example';
import { MAX_SHARDS } from '../io';
import { MessageLines, type PlainMessage } from '../messages';
import { checkVerification, type OnError } from '../record';
import type { InputFormatName, OutputFormatName } from './formats';
import { checkHuggingFace, type HuggingFaceOptions, type HuggingFacePlan } from './hugging-face/options';
import { partOf, type Part } from './job/parts';
import { isSide } from './output/names';

/** The progress of a conversion. */
export interface ConvertProgress {
  /**
   * `count`: counting or surveying records before the first is written; `shuffle`: distributing them to temporary
   * files.
   */
  readonly phase: 'count' | 'shuffle' | 'write';
  /** Number of bytes, as stored, that this phase has read so far. */
  readonly bytes: number;
  /** Number of bytes that this phase will read in all; undefined if it is not known. */
  readonly totalBytes: number | undefined;
  /** Number of records written so far. */
  readonly records: number;
}

/** Options of {@link convert}. Unknown names throw. */
export interface ConvertOptions {
  /**
   * Format of the input. Default: by the extension of the files; `images` for a folder; TFRecord for unknown
   * extensions.
   */
  from?: InputFormatName | undefined;
  /** Format of the output. Default: by its extension; TFRecord for unknown extensions. */
  to?: OutputFormatName | undefined;
  /**
   * The features to convert, and their types. Not for TFRecord → TFRecord: use `features`. For pictures with `labels`:
   * the types of the labels' features; features outside the spec keep their types.
   */
  spec?: Spec | SequenceExampleSpec | undefined;
  /**
   * For records that are messages of any type, between TFRecords and JSON Lines: the type, of `loadMessageTypes`. Lines are
   * protobuf's canonical JSON, for `jsonl` and `protojson` alike. Not with `spec`, `features`, `exclude`, `where`,
   * `splitBy` and `partitionBy`, which are about Examples. Default: records are Examples.
   */
  message?: MessageType<PlainMessage> | undefined;
  /** Keeps only these features, copied byte by byte. For SequenceExamples: features of the context, and feature lists. */
  features?: readonly string[] | undefined;
  /**
   * Leaves out these features; the alternative to `features`. The rest of each record is unchanged. In Parquet and Arrow
   * files, a struct has the name of its column, and its fields are named `name/field`.
   */
  exclude?: readonly string[] | undefined;
  /**
   * For Parquet and Arrow: converts dates and timestamps to int64 (microseconds since 1970-01-01T00:00 UTC), or text
   * (ISO 8601). Default: by `spec`; without a spec they are an error.
   */
  dates?: 'int64' | 'text' | undefined;
  /**
   * For CSV and TSV, also of labels: true throws for a number that float32 would round. Default: false; a note counts
   * such numbers.
   */
  exact?: boolean | undefined;
  /**
   * For CSV and TSV, also of labels: texts without quotes that stand for a missing value, such as `['NA', 'NULL']`.
   * Default: none.
   */
  na?: readonly string[] | undefined;
  /**
   * For CSV and TSV: the ASCII character between fields, such as `';'`. It applies to the input, or to its labels, if
   * that is CSV or TSV; else to the output, which must be CSV. Default: a comma, or a tab.
   */
  delimiter?: string | undefined;
  /**
   * For a folder of pictures: a file with a line for each picture, as CSV (`.csv`, `.tsv`) or JSON Lines (`.jsonl`,
   * `.ndjson`). Its column `file` (or `filename`, `file_name`, `image`) is the path in the folder, `label` is the class,
   * a text or an integer; all others become features of their own. Default: no file; the class is the sub-folder.
   */
  labels?: string | URL | undefined;
  /**
   * For pictures: the names of all classes, in the order of their numbers, from 0. A picture of another class is an
   * error. Default: the sub-folders, or the labels that are texts, in byte order.
   */
  classes?: readonly string[] | undefined;
  /**
   * For data sets of object detection (`coco`, `yolo`, `voc`): the label map, `label_map.pbtxt`. As inputs: if the file exists, it says
   * the numbers of the classes; else it is written, before the records. As outputs: it says names and numbers of the classes.
   * Default: the numbers of the data set, from 1 on; or the texts and labels of the records.
   */
  labelMap?: string | URL | undefined;
  /**
   * For `from: 'tfds'`: the split to read, such as `train`; several joined by `+`; or `all`. Default: the only split.
   */
  tfdsSplit?: string | undefined;
  /**
   * For `from: 'tfds'`, data sets of episodes (RLDS): true makes a row of each step, with the features of its episode,
   * and with `episode`, the number of the episode in the split, and `step`, the number of the step in the episode.
   * Default: false; a row is an episode.
   */
  steps?: boolean | undefined;
  /**
   * For `from: 'tfds'`: true replaces the numbers of classes by their names, where the data set has names. Default:
   * false.
   */
  classNames?: boolean | undefined;
  /**
   * For Parquet and Arrow: writes files that Hugging Face's `datasets` reads with their features. Pictures and sounds are
   * structs of `bytes` and `path`, and the metadata `huggingface` has the `Image`, `Audio` and `ClassLabel` features. With
   * `shard`, `images` must be given, because all parts must have the same features. Default: false.
   */
  huggingface?: boolean | HuggingFaceOptions | undefined;
  /**
   * An SQL condition: keeps the records for which it is true. It refers to features by their names: `'label = 3'`. A
   * feature that a record lacks is NULL. Requires `@duckdb/node-api`. With `shards`, outputs divide the records of the
   * input evenly, so the numbers of records that are kept may differ. Default: keeps all.
   */
  where?: string | undefined;
  /**
   * True: rounds numbers of 64-bit floating point to the nearest float32. Default: false; numbers that would change are
   * errors.
   */
  round?: boolean | undefined;
  /**
   * Number of outputs, 1 to 99,999: `NAME-00000-of-00010.EXT`. They have equal numbers of records, in order. With
   * `shard`: the number of outputs of all parts together. Default: one output, named `output`.
   */
  shards?: number | undefined;
  /**
   * For TFRecord → TFRecord, the alternative to `shards`: maximum size of an output, in bytes, before compression. A
   * longer record gets an output of its own.
   */
  maxBytes?: number | undefined;
  /**
   * Shares of records that add up to 1, for example `{ train: 0.9, eval: 0.1 }`: each side gets its own outputs,
   * `NAME-train.EXT`, or `NAME-train-00000-of-00010.EXT`. A hash of the record decides, so equal records are always on
   * the same side. Default: no split.
   */
  split?: Readonly<Record<string, number>> | undefined;
  /**
   * For TFRecord outputs: writes each record to `FOLDER/label=3/NAME.EXT`, by its value of the feature `label`, as
   * `ShardedWriter` does with its option of that name. Several names are nested. Not with `shards`, `maxBytes`, `split`,
   * `shuffle`, `shard` and `resume`. A record without a possible folder is one that cannot be converted: see `onError`.
   */
  partitionBy?: string | readonly string[] | undefined;
  /**
   * For TFRecord outputs that are files: true saves the index of each output beside it, as `OUT.tfindex`, by which
   * `openIndexed` reads any record (docs/random-access.md). Default: false.
   */
  index?: boolean | undefined;
  /** The feature whose values are hashed for `split`. Default: the whole record is hashed. */
  splitBy?: string | undefined;
  /**
   * True: writes the records in random order. Needs disk space beside the output for all records, uncompressed.
   * Default: true if there is a `seed`, else false.
   */
  shuffle?: boolean | undefined;
  /** Seed of the order. The same input, options and seed give the same order. Default: drawn by the system. */
  seed?: Seed | undefined;
  /** Compression of the outputs. Default: `auto`, by the extension: `.gz`, `.zz`, `.zlib`; none for others. */
  compression?: CompressionOption | undefined;
  /** Level of the compression, 0 to 9. Default: 6. */
  level?: number | undefined;
  /**
   * Converts only a part of the files: `'i/N'` (i from 0 to N − 1), `{ index, count }`, or `'auto'`, which reads the
   * environment variables of a scheduler (docs/conversion.md). With fewer files than parts, the records of TFRecord files
   * are divided: each part reads only its own, in compressed files by their saved indexes. The outputs are written to the folder `OUT.part-i-of-N`,
   * and {@link mergeParts} joins the parts. Default: converts all files.
   */
  shard?: string | Part | undefined;
  /**
   * True: keeps outputs that an earlier run of the same job finished, and writes the others. Does nothing if the job is
   * complete. A job of one output then has a manifest, too. Default: false.
   */
  resume?: boolean | undefined;
  /** True: replaces outputs, and a manifest, that exist. Default: false, which throws if there are any. */
  force?: boolean | undefined;
  /** Handling of damage, and of records that cannot be converted. Default: `throw`. */
  onError?: OnError | undefined;
  /**
   * The checksums of TFRecord inputs to verify, as for `readRecords`. `none` is for files whose checksums are wrong on
   * purpose: outputs have correct ones. Default: `all`.
   */
  verify?: 'all' | 'length' | 'none' | undefined;
  /** Maximum length of a record, in bytes. Default: 2^31 - 1. */
  maxRecordBytes?: number | undefined;
  /** Aborts the job: unfinished outputs are removed, and `convert` rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Called many times per second. The job fails if it throws, or soon after a promise that it returned is rejected. */
  onProgress?: ((progress: ConvertProgress) => unknown) | undefined;
}

const OPTION_NAMES = [
  'from',
  'to',
  'spec',
  'message',
  'features',
  'exclude',
  'dates',
  'exact',
  'na',
  'delimiter',
  'labels',
  'classes',
  'labelMap',
  'tfdsSplit',
  'steps',
  'classNames',
  'huggingface',
  'where',
  'round',
  'shards',
  'maxBytes',
  'split',
  'splitBy',
  'partitionBy',
  'index',
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

/** Options that do not go together with `partitionBy`. */
const NOT_PARTITIONED = ['shards', 'maxBytes', 'split', 'shuffle', 'seed', 'shard', 'resume'] as const;

/** Options about features, which messages of any type do not have. */
const OF_EXAMPLES = ['spec', 'features', 'exclude', 'where', 'splitBy', 'partitionBy'] as const;

/** Checked options that do not depend on the formats. */
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
  readonly message: MessageLines | undefined;
  readonly features: readonly string[] | undefined;
  readonly exclude: readonly string[] | undefined;
  readonly exact: boolean;
  readonly na: readonly string[] | undefined;
  readonly delimiter: string | undefined;
  readonly round: boolean;
  readonly verify: 'all' | 'length' | 'none';
  readonly labels: string | undefined;
  readonly classes: readonly string[] | undefined;
  readonly labelMap: string | undefined;
  readonly tfdsSplit: string | undefined;
  readonly steps: boolean;
  readonly classNames: boolean;
  readonly huggingface: HuggingFacePlan | undefined;
  readonly shards: number | undefined;
  readonly maxBytes: number | undefined;
  readonly split: Readonly<Record<string, number>> | undefined;
  readonly splitBy: string | undefined;
  readonly partitionBy: readonly string[] | undefined;
  readonly index: boolean;
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
  const absent = (name: keyof ConvertOptions, why: Text): Error =>
    invalidArgValue(`options.${name}`, worded`absent, because ${why}`, given[name]);
  if (maxBytes !== undefined && shards !== undefined) throw absent('maxBytes', 'shards sets the number of outputs');
  if (maxBytes !== undefined && shuffle) throw absent('maxBytes', 'records are shuffled: set shards instead');
  if (seed !== undefined && !shuffle) throw absent('seed', 'shuffle is false');
  if (features !== undefined && exclude !== undefined) throw absent('exclude', 'features lists the features to keep');
  if (resume && force) throw absent('force', worded`${named('resume')} keeps what force would replace`);
  if (splitBy !== undefined && split === undefined) throw absent('splitBy', 'there is no split');
  const message = given.message === undefined ? undefined : checkMessage(given.message);
  for (const name of OF_EXAMPLES) {
    if (message === undefined || given[name] === undefined) continue;
    throw absent(name, worded`${named('message')} says that records are not Examples`);
  }
  const partitionBy = given.partitionBy === undefined ? undefined : checkPartitions(given.partitionBy);
  for (const name of NOT_PARTITIONED) {
    const value = given[name];
    if (partitionBy === undefined || value === undefined || value === false) continue;
    throw absent(name, worded`${named('partitionBy')} says which file a record goes to`);
  }
  for (const name of partitionBy ?? []) {
    if (features?.includes(name) === false)
      throw invalidArgValue('options.features', `names that include ${name}, which is in partitionBy`, features);
    if (exclude?.includes(name) === true)
      throw invalidArgValue('options.exclude', `names without ${name}, which is in partitionBy`, exclude);
  }
  if (given.where !== undefined && typeof given.where !== 'string') {
    throw invalidArgType('options.where', 'a string', given.where);
  }
  if (given.where !== undefined) checkWellFormed('options.where', given.where);
  checkCallback('options.onProgress', given.onProgress);
  checkInteger('options.level', given.level, 0, 9, undefined);
  return {
    ...given,
    message,
    features: features === undefined ? undefined : checkNames('features', features),
    exclude: exclude === undefined ? undefined : checkNames('exclude', exclude),
    dates: dates === undefined ? undefined : checkChoice('options.dates', dates, DATES, 'text'),
    exact: checkBoolean('options.exact', given.exact, false),
    na: na === undefined ? undefined : checkNames('na', na),
    delimiter: delimiter === undefined ? undefined : checkDelimiter(delimiter),
    round: checkBoolean('options.round', given.round, false),
    labels: given.labels === undefined ? undefined : checkPath('options.labels', given.labels),
    classes: given.classes === undefined ? undefined : checkClasses(given.classes),
    labelMap: given.labelMap === undefined ? undefined : checkPath('options.labelMap', given.labelMap),
    tfdsSplit: given.tfdsSplit === undefined ? undefined : checkName('options.tfdsSplit', given.tfdsSplit),
    steps: checkBoolean('options.steps', given.steps, false),
    classNames: checkBoolean('options.classNames', given.classNames, false),
    huggingface: checkHuggingFace(given.huggingface),
    shards,
    maxBytes,
    split: split === undefined ? undefined : checkSplit(split),
    splitBy: splitBy === undefined ? undefined : checkName('options.splitBy', splitBy),
    partitionBy,
    index: checkBoolean('options.index', given.index, false),
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
  // Not `map`, which skips holes.
  return Array.from(names, (name, i) => checkName(`options.${option}[${i}]`, name));
}

function checkMessage(type: MessageType<PlainMessage>): MessageLines {
  const lines = isObject(type) ? MessageLines.of(type, { full: true }) : undefined;
  if (lines === undefined) throw invalidArgType('options.message', 'a type of loadMessageTypes', type);
  return lines;
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

/** Tolerance for the sum of shares, because decimals are not exact in binary. */
const TOLERANCE = 1e-9;

function checkSplit(split: unknown): Readonly<Record<string, number>> {
  if (!isObject(split) || Array.isArray(split)) {
    throw invalidArgType('options.split', 'an object: { train: 0.9, eval: 0.1 }', split);
  }
  let sum = 0;
  for (const [side, share] of Object.entries(split)) {
    if (!isSide(side)) {
      throw invalidArgValue(
        worded`a name in ${named('split', 'options.split')}`,
        'letters, digits, _ and ., beginning with a letter',
        side,
      );
    }
    if (typeof share !== 'number') throw invalidArgType(`options.split.${side}`, 'a number', share);
    if (!(share > 0 && share <= 1))
      throw outOfRange(`options.split.${side}`, 'above 0 and at most 1: all shares add up to 1', share);
    sum += share;
  }
  if (!(Math.abs(sum - 1) <= TOLERANCE)) throw outOfRange('options.split', 'shares that add up to 1', sum);
  return { ...(split as Readonly<Record<string, number>>) };
}
