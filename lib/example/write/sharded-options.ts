import {
  checkBoolean,
  checkInteger,
  checkOptions,
  checkWellFormed,
  COMPRESSIONS,
  invalidArgType,
  invalidArgValue,
  isUrl,
  outOfRange,
  pathOf,
} from '../../base';
import { countedName, isOneStream, MAX_SHARDS, objectUrl } from '../../io';
import { resolveWriteOptions, WRITE_OPTION_NAMES, type WriteOptions, type WritePlan } from '../../record';

/** Options of {@link ShardedWriter}: exactly one of `shards`, `maxShardBytes` and `partitionBy`, and any others. Unknown names throw. */
export interface ShardedWriterOptions extends Omit<WriteOptions, 'append' | 'atomic'> {
  /**
   * Number of files, 1 to 99,999: `NAME-00000-of-00010.EXT`. Record i goes to file i mod `shards`, unless `shardBy` is
   * given. `NAME.EXT@10` as the target means the same as `shards: 10`.
   */
  shards?: number | undefined;
  /**
   * Records with the same key go to the same one of the `shards` files. The key is the kind and the values of the feature with
   * this name, or the result of this function of a record. The file is floor(h × shards / 2^32), where h is the last step of
   * MurmurHash3 over the CRC-32C of the key's bytes: text as UTF-8, a number or bigint as its decimal text. It depends on
   * nothing else, so it is the same on all machines and in later versions. For a feature, `convert` with `splitBy` uses the same
   * hash.
   */
  shardBy?: string | ((record: Uint8Array) => string | number | bigint | Uint8Array) | undefined;
  /**
   * Maximum size of a file before compression, in bytes: a record that would exceed it begins the next file. A longer record
   * gets a file of its own. The number of files, which is in their names, is known at the end.
   */
  maxShardBytes?: number | undefined;
  /**
   * Writes each record to `FOLDER/label=3/NAME.EXT`, where 3 is its value of the feature `label`: one int64, or one text
   * in UTF-8. Several names are nested: `['year', 'label']` gives `year=2026/label=3`. Values are escaped as Apache Hive
   * does; records without a value, or with empty text, are in `label=__HIVE_DEFAULT_PARTITION__`. At most 99,999 folders;
   * at most 1,000 files are open at a time. Not for ZLIB: a ZLIB file is one stream, whose state would be kept for each.
   */
  partitionBy?: string | readonly string[] | undefined;
  /** True: replaces an earlier set of the same name once the new one is complete. False: throws EEXIST. Default: false. */
  force?: boolean | undefined;
}

/** The key that chooses the file of a record: the name of a feature, or a function. */
export type ShardKey = NonNullable<ShardedWriterOptions['shardBy']>;

const OPTION_NAMES = [
  'shards',
  'shardBy',
  'maxShardBytes',
  'partitionBy',
  'force',
  ...WRITE_OPTION_NAMES.filter((name) => name !== 'append' && name !== 'atomic'),
] as const;

/** Checked options. One of `shards`, `maxShardBytes` and `partitionBy` is not undefined. */
export interface ShardedPlan {
  /** The path without N of `name@N`. */
  readonly path: string;
  readonly shards: number | undefined;
  readonly shardBy: ShardKey | undefined;
  readonly maxShardBytes: number | undefined;
  readonly partitionBy: readonly string[] | undefined;
  readonly force: boolean;
  readonly write: WritePlan;
}

/** Number of ZLIB files that may be written at a time: each has its own stream, of 0.3 MB. */
const MAX_ZLIB = 64;

/** @throws TypeError, RangeError with Node's codes */
export function resolveShardedOptions(target: unknown, options: ShardedWriterOptions | undefined): ShardedPlan {
  const { shards: given, shardBy, maxShardBytes, partitionBy, force, ...write } = checkOptions(options, OPTION_NAMES);
  if (typeof target !== 'string' && !isUrl(target)) throw invalidArgType('target', 'a path or a file URL', target);
  if (objectUrl(target) !== undefined) {
    const expected = 'a path or a file URL: sets of files need a file system; RecordWriter writes one object';
    throw invalidArgValue('target', expected, target);
  }
  const name = pathOf(target, 'target');
  if (/[*?]/.test(name)) throw invalidArgValue('target', 'a name without * and ?, such as out/train.tfrecord', name);
  if (/(?:^|[/\\])$/.test(name))
    throw invalidArgValue('target', 'the name of a file, such as out/train.tfrecord', name);
  const counted = countedName(name);
  const count = counted === undefined ? undefined : checkInteger('N of name@N', counted.count, 1, MAX_SHARDS, 1);
  const shards = checkInteger('options.shards', given, 1, MAX_SHARDS, count);
  if (count !== undefined && shards !== count) throw outOfRange('options.shards', `the ${count} of '${name}'`, shards);
  const path = counted === undefined ? name : counted.base + counted.end;
  const maxBytes = checkInteger('options.maxShardBytes', maxShardBytes, 1, Number.MAX_SAFE_INTEGER, undefined);
  const partitions = partitionBy === undefined ? undefined : checkPartitions(partitionBy);
  const modes = Object.entries({ shards, maxShardBytes: maxBytes, partitionBy: partitions }).filter(
    ([, value]) => value !== undefined,
  );
  if (modes.length !== 1) {
    const found = modes.length === 0 ? 'none of them' : modes.map(([option]) => option).join(', ');
    const expected = 'an object with exactly one of the options shards (or NAME@N), maxShardBytes and partitionBy';
    throw invalidArgValue('options', expected, found);
  }
  if (shardBy !== undefined && shards === undefined)
    throw invalidArgValue('options.shardBy', 'absent without shards', shardBy);
  const plan = resolveWriteOptions({ ...write, atomic: false }, path);
  if (isOneStream(plan.compression) && maxBytes === undefined && !(shards! <= MAX_ZLIB)) {
    const why = 'gzip or none, because the state of each ZLIB file is kept in memory';
    throw invalidArgValue(
      'options.compression',
      `${why} (with at most ${MAX_ZLIB} shards it may be zlib)`,
      COMPRESSIONS[plan.compression],
    );
  }
  return {
    path,
    shards,
    shardBy: shardBy === undefined ? undefined : checkKey(shardBy),
    maxShardBytes: maxBytes,
    partitionBy: partitions,
    force: checkBoolean('options.force', force, false),
    write: plan,
  };
}

function checkKey(key: unknown): ShardKey {
  if (typeof key === 'function') return key as Exclude<ShardKey, string>;
  if (typeof key !== 'string') throw invalidArgType('options.shardBy', 'the name of a feature, or a function', key);
  checkWellFormed('options.shardBy', key);
  return key;
}

/** Checks the option `partitionBy`. @throws TypeError */
export function checkPartitions(given: string | readonly string[]): readonly string[] {
  const names: readonly unknown[] | undefined =
    typeof given === 'string' ? [given] : Array.isArray(given) ? given : undefined;
  if (names === undefined)
    throw invalidArgType('options.partitionBy', 'the name of a feature, or an array of names', given);
  if (names.length === 0) throw invalidArgValue('options.partitionBy', 'at least one name of a feature', given);
  return Array.from(names, (name, i) => {
    if (typeof name !== 'string') throw invalidArgType(`options.partitionBy[${i}]`, 'the name of a feature', name);
    checkWellFormed('options.partitionBy', name);
    if (name === '') throw invalidArgValue(`options.partitionBy[${i}]`, 'a name that is not empty', name);
    if (names.indexOf(name) < i)
      throw invalidArgValue(`options.partitionBy[${i}]`, 'another name than those before it', name);
    return name;
  });
}
