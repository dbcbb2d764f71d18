/**
 * Names of sharded files: `base-00000-of-00002.tfrecord`, as `writeTo` names them, and `base.tfrecord-00000-of-00002`, as
 * TensorFlow's tools do.
 */

/** Digits of a shard's number, and of how many there are. */
const DIGITS = 5;
/** What these digits count. More shards are a mistake, not a data set. */
export const MAX_SHARDS = 99_999;

/** The shards that `name@N` or the pattern `name-?????-of-NNNNN` stands for, in order. */
export interface ShardSet {
  /** The start of their names, with the folder. */
  readonly base: string;
  /** The end of their names: the suffixes of `base.ext@N`, or nothing. */
  readonly end: string;
  readonly files: readonly string[];
  /** The set in TensorFlow's form, if that differs: read if `files` do not exist. */
  readonly other?: ShardSet;
}

/** Undefined for names of another form, and for N out of range. */
export function shardSet(name: string): ShardSet | undefined {
  const counted = countedName(name);
  if (counted !== undefined) {
    const { base, count } = counted;
    const ofTensorFlow = numbered(base, '', count, DIGITS);
    const at = suffixesAt(base);
    const ours = at === base.length ? undefined : numbered(base.slice(0, at), base.slice(at), count, DIGITS);
    return ours === undefined || ofTensorFlow === undefined ? ofTensorFlow : { ...ours, other: ofTensorFlow };
  }
  const pattern = /^([^*?[\]]*)-(\?+)-of-(\d+)$/s.exec(name);
  if (pattern === null || pattern[2]?.length !== pattern[3]?.length) return undefined;
  return numbered(pattern[1]!, '', Number(pattern[3]), pattern[3]!.length);
}

/** `base` and N of `base@N`; undefined for other names. */
export function countedName(name: string): { readonly base: string; readonly count: number } | undefined {
  const [, base, count] = /^(.*[^/])@(\d+)$/s.exec(name) ?? [];
  return base === undefined ? undefined : { base, count: Number(count) };
}

/**
 * The position of the file name's suffixes: of its first dot, unless the name begins with it; without a dot, the end.
 */
export function suffixesAt(path: string): number {
  const dot = path.indexOf('.', path.lastIndexOf('/') + 2);
  return dot < 0 ? path.length : dot;
}

function numbered(base: string, end: string, count: number, digits: number): ShardSet | undefined {
  if (count < 1 || count > MAX_SHARDS) return undefined;
  const pad = (n: number): string => String(n).padStart(digits, '0');
  return {
    base,
    end,
    files: Array.from({ length: count }, (_, index) => `${base}-${pad(index)}-of-${pad(count)}${end}`),
  };
}
