/** Parses `dataset_info.json` of TensorFlow Datasets: the files of a data set, and their numbers of records. */
import { basename, dirname, join } from 'node:path';

import { counted, isObject, TFRecordError } from '../../base';
import { integerOf, invalidFile, quotedText, readJson, shortText, shownJson } from './json-file';

/** The name of the file. */
export const INFO = 'dataset_info.json';
/** The template of file names if the file has none: older versions did not write one. */
const TEMPLATE = '{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}';
/** The format of files whose records are TFRecords. */
const TFRECORD = 'tfrecord';

/**
 * A split of a data set: the shards that hold its records. Made by `readTfds`.
 *
 * @example
 * const { splits } = await readTfds('data/my_set/1.0.0');
 * for (const { name, records, shardLengths } of splits) console.log(name, records, shardLengths.length);
 */
export class TfdsSplit {
  /** Its name, such as `train`. */
  readonly name: string;
  /** Number of records in each shard. */
  readonly shardLengths: readonly number[];
  readonly #nameOf: (index: number, count: number) => string;

  /** @internal */
  constructor(name: string, shardLengths: readonly number[], nameOf: (index: number, count: number) => string) {
    this.name = name;
    this.shardLengths = shardLengths;
    this.#nameOf = nameOf;
  }

  /** Number of records in all shards. */
  get records(): number {
    return this.shardLengths.reduce((sum, length) => sum + length, 0);
  }

  /** @internal Returns the name of shard `index`; `count`: the number of shards in that name. */
  fileName(index: number, count = this.shardLengths.length): string {
    return this.#nameOf(index, count);
  }
}

/** A file of a data set. */
export interface TfdsShard {
  /** Its path. */
  readonly file: string;
  /** Number of records that it must have. */
  readonly records: number;
}

/** The content of `dataset_info.json`. */
export interface TfdsInfo {
  readonly name: string;
  readonly version: string | undefined;
  readonly config: string | undefined;
  /** `tfrecord`, or the name of a format that this package does not read. */
  readonly fileFormat: string;
  readonly splits: readonly TfdsSplit[];
}

/**
 * Reads the description of the data set in `folder`.
 * @throws TFRecordError, naming the file: Node's code if it cannot be read; TFR_DECODE if it is invalid
 */
export async function readTfdsInfo(folder: string): Promise<TfdsInfo> {
  const file = join(folder, INFO);
  const json = await readJson(file);
  const { name, version, configName, fileFormat = TFRECORD, splits = [] } = isObject(json) ? json : {};
  checkName(name, 'a data set', file);
  checkName(fileFormat, 'a file format', file);
  if (!Array.isArray(splits)) throw invalidFile(file, 'a list of splits', shownJson(splits));
  const made = new Map<string, TfdsSplit>();
  for (const each of splits) {
    const split = splitOf(each, name, fileFormat, file);
    if (made.has(split.name)) throw invalidFile(file, `one split ${quotedText(split.name)}`, 'two');
    made.set(split.name, split);
  }
  return {
    name,
    version: textOf(version),
    config: textOf(configName),
    fileFormat,
    splits: [...made.values()],
  };
}

/** Maximum length of what makes the names of files, so that one that repeats another does not become gigabytes. */
const MAX_NAME = 1024;

function checkName(given: unknown, what: string, file: string): asserts given is string {
  if (typeof given !== 'string') throw invalidFile(file, `the name of ${what}`, shownJson(given));
  if (given.length > MAX_NAME) {
    throw invalidFile(file, `the name of ${what}, of at most ${MAX_NAME} characters`, `one of ${given.length}`);
  }
}

function splitOf(split: unknown, dataset: string, format: string, file: string): TfdsSplit {
  const { name, shardLengths = [], filepathTemplate } = isObject(split) ? split : {};
  checkName(name, 'a split', file);
  const shown = shortText(name);
  if (!Array.isArray(shardLengths)) throw invalidFile(file, `the numbers of records of ${shown}`, 'no list');
  const lengths = shardLengths.map((given: unknown) => {
    const length = integerOf(given);
    if (length === undefined || length < 0) throw invalidFile(file, `numbers of records of ${shown}`, shownJson(given));
    return length;
  });
  const template = filepathTemplate ?? '';
  checkName(template, `the files of ${shown}`, file);
  const fixed: Readonly<Record<string, string>> = { DATASET: dataset, SPLIT: name, FILEFORMAT: format };
  const nameOf = (index: number, count: number): string => {
    const [at, of] = [String(index).padStart(5, '0'), String(count).padStart(5, '0')];
    const numbers: Readonly<Record<string, string>> = {
      SHARD_INDEX: at,
      NUM_SHARDS: of,
      SHARD_X_OF_Y: `${at}-of-${of}`,
    };
    return (template || TEMPLATE).replace(
      /\{([A-Z_]+)\}/g,
      (piece, key: string) => fixed[key] ?? numbers[key] ?? piece,
    );
  };
  // The files of a data set are in its folder.
  const first = nameOf(0, 1);
  if (first !== basename(first) || first.includes('\\') || first.includes('\0') || first.length > MAX_NAME) {
    throw invalidFile(file, `names of files in ${shown}`, quotedText(first));
  }
  if (lengths.length > 1 && nameOf(0, lengths.length) === nameOf(1, lengths.length)) {
    throw invalidFile(file, `a filepathTemplate with the number of the shard in ${shown}`, quotedText(template));
  }
  return new TfdsSplit(name, lengths, nameOf);
}

/** The error about a file that `dataset_info.json`, which lies beside it, describes otherwise. */
export function contradiction(file: string, expected: string, found: string): TFRecordError {
  const where = join(dirname(file), INFO);
  const message = `${file} contradicts ${where}: ${expected} there, found ${found}. Fetch or write the data set again.`;
  return new TFRecordError('TFR_STATE_MISMATCH', message, { file, expected, found });
}

/** The error about a shard that has `found` records, and `expected` by its data set's description. */
export function wrongRecords(file: string, expected: number, found: number): TFRecordError {
  return contradiction(file, `it has ${counted(expected, 'record')}`, counted(found, 'record'));
}

/** Maximum number of missing files in a message. */
const NAMED = 5;

/** The error about the files `lacks` of `split`, which `folder` does not have. */
export function missingShards(
  folder: string,
  { name, shardLengths }: TfdsSplit,
  lacks: readonly string[],
): TFRecordError {
  const more = lacks.length > NAMED ? ` and ${lacks.length - NAMED} more` : '';
  const list = lacks.slice(0, NAMED).join(', ') + more;
  const message = `ENOENT: ${lacks.length} of ${counted(shardLengths.length, 'shard')} of the split ${name} are missing, which ${join(folder, INFO)} lists: ${list}`;
  return new TFRecordError('ENOENT', message, { file: join(folder, lacks[0]!) });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
