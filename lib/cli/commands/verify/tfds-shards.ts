/**
 * Reads the numbers of records that TensorFlow Datasets stores in `dataset_info.json`, next to the files of a data set.
 */
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { counted, isInteger, isObject, TFRecordError } from '../../../base';
import { plural } from '../../terminal/text';

const INFO = 'dataset_info.json';
/** Maximum size of `dataset_info.json`. Real ones with many shards have a few hundred KB. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The template of file names if `dataset_info.json` has none: older versions did not write one. */
const TEMPLATE = '{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}';
/** Maximum number of missing files in a message. */
const NAMED = 5;

interface Split {
  readonly name: string;
  /** Number of records in each shard. */
  readonly lengths: readonly number[];
  /** Returns the name of shard `index`; `count` is the number of shards in that name. */
  readonly nameOf: (index: number, count: number) => string;
}

/** A shard of a data set, by its name. */
interface Shard {
  readonly split: Split;
  readonly index: number;
  readonly count: number;
}

/** Checks files against the `dataset_info.json` next to each. */
export class TfdsShards {
  readonly #splits = new Map<string, Promise<readonly Split[]>>();
  /** The splits whose files were found by a pattern or in a folder, with the indices of these files. */
  readonly #found = new Map<Split, { readonly folder: string; readonly indices: Set<number> }>();

  /**
   * Returns the error if the number of records in `file`, or the number of shards in its name, differs from
   * `dataset_info.json`. If `named`, the user named this file itself, so the other files of its split may be elsewhere.
   */
  async check(file: string, records: number, named: boolean): Promise<TFRecordError | undefined> {
    const folder = dirname(file);
    const shard = shardOf(basename(file), await this.#splitsIn(folder));
    if (shard === undefined) return undefined;
    const { split, index, count } = shard;
    const shards = split.lengths.length;
    if (count !== shards) {
      return contradiction(file, `the split ${split.name} has ${plural(shards, 'shard')}`, `one of ${count}`);
    }
    if (!named) {
      const found = this.#found.get(split) ?? { folder, indices: new Set() };
      found.indices.add(index);
      this.#found.set(split, found);
    }
    const expected = split.lengths[index]!;
    return records === expected
      ? undefined
      : contradiction(file, `it has ${plural(expected, 'record')}`, plural(records, 'record'));
  }

  /** Returns the errors for splits of which some shards were checked, and others are missing. */
  missing(): TFRecordError[] {
    return [...this.#found].flatMap(([{ name, lengths, nameOf }, { folder, indices }]) => {
      const lacks = lengths.flatMap((_, index) => (indices.has(index) ? [] : nameOf(index, lengths.length)));
      if (lacks.length === 0) return [];
      const more = lacks.length > NAMED ? ` and ${lacks.length - NAMED} more` : '';
      const list = lacks.slice(0, NAMED).join(', ') + more;
      const message = `ENOENT: ${lacks.length} of ${counted(lengths.length, 'shard')} of the split ${name} are missing, which ${join(folder, INFO)} lists: ${list}`;
      return [new TFRecordError('ENOENT', message, { file: join(folder, lacks[0]!) })];
    });
  }

  #splitsIn(folder: string): Promise<readonly Split[]> {
    let splits = this.#splits.get(folder);
    if (splits === undefined) this.#splits.set(folder, (splits = readSplits(join(folder, INFO))));
    return splits;
  }
}

function contradiction(file: string, expected: string, found: string): TFRecordError {
  const where = join(dirname(file), INFO);
  const message = `${file} contradicts ${where}: ${expected} there, found ${found}. Fetch or write the data set again.`;
  return new TFRecordError('TFR_STATE_MISMATCH', message, { file, expected, found });
}

/**
 * Returns the splits that `path` lists; an empty list if the file is missing, or not written by TensorFlow Datasets.
 */
async function readSplits(path: string): Promise<readonly Split[]> {
  try {
    const about = await stat(path);
    if (!about.isFile() || about.size > MAX_BYTES) return [];
    const info: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isObject(info) || !Array.isArray(info['splits'])) return [];
    return info['splits'].flatMap((split) => splitOf(split, info) ?? []);
  } catch {
    return [];
  }
}

function splitOf(split: unknown, info: Record<string, unknown>): Split | undefined {
  if (!isObject(split)) return undefined;
  const { name, shardLengths, filepathTemplate } = split;
  const dataset = info['name'];
  const format = info['fileFormat'] ?? 'tfrecord';
  if (typeof name !== 'string' || typeof dataset !== 'string' || typeof format !== 'string') return undefined;
  if (!Array.isArray(shardLengths) || shardLengths.length === 0) return undefined;
  // Protobuf's JSON has int64 values as strings.
  const lengths = shardLengths.map(Number);
  if (!lengths.every((length) => isInteger(length, 0))) return undefined;
  const template = typeof filepathTemplate === 'string' && filepathTemplate !== '' ? filepathTemplate : TEMPLATE;
  const fixed: Readonly<Record<string, string>> = { DATASET: dataset, SPLIT: name, FILEFORMAT: format };
  const nameOf = (index: number, count: number): string => {
    const [at, of] = [String(index).padStart(5, '0'), String(count).padStart(5, '0')];
    const numbers: Readonly<Record<string, string>> = {
      SHARD_INDEX: at,
      NUM_SHARDS: of,
      SHARD_X_OF_Y: `${at}-of-${of}`,
    };
    return template.replace(/\{(\w+)\}/g, (piece, key: string) => fixed[key] ?? numbers[key] ?? piece);
  };
  return { name, lengths, nameOf };
}

function shardOf(name: string, splits: readonly Split[]): Shard | undefined {
  for (const [, at, of] of name.matchAll(/(?=(\d{5,})-of-(\d{5,}))/g)) {
    const [index, count] = [Number(at), Number(of)];
    const split = splits.find(({ nameOf }) => nameOf(index, count) === name);
    if (split !== undefined) return { split, index, count };
  }
  return undefined;
}
