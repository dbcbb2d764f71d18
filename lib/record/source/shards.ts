/**
 * Names of sharded files, as TensorFlow's tools write them: `base-00000-of-00002`.
 */

/** Digits of a shard's number, and of how many there are. */
const DIGITS = 5;
/** What these digits count. More shards are a mistake, not a data set. */
const MAX_SHARDS = 99_999;

/** The shards that `name@N` or the pattern `name-?????-of-NNNNN` stands for, in order. */
export interface ShardSet {
  /** `name`, with its folder. */
  readonly base: string;
  readonly files: readonly string[];
}

/** Undefined for names of another form, and for N out of range. */
export function shardSet(name: string): ShardSet | undefined {
  const counted = /^(.+)@(\d+)$/s.exec(name);
  if (counted !== null) return numbered(counted[1] as string, Number(counted[2]), DIGITS);
  const pattern = /^([^*?[\]]*)-(\?+)-of-(\d+)$/s.exec(name);
  if (pattern === null || pattern[2]?.length !== pattern[3]?.length) return undefined;
  return numbered(pattern[1] as string, Number(pattern[3]), (pattern[3] as string).length);
}

function numbered(base: string, count: number, digits: number): ShardSet | undefined {
  if (count < 1 || count > MAX_SHARDS) return undefined;
  const pad = (n: number): string => String(n).padStart(digits, '0');
  return { base, files: Array.from({ length: count }, (_, index) => `${base}-${pad(index)}-of-${pad(count)}`) };
}
