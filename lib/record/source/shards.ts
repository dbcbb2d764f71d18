/**
 * Names of sharded files, as TensorFlow's tools write them: `base-00000-of-00002`.
 */

/** Digits of a shard's number, and of how many there are. */
const DIGITS = 5;
/** What these digits count. More shards are a mistake, not a data set; and looking for each would take minutes. */
const MAX_SHARDS = 99_999;

/** The shards of `name@N`, in order; undefined for other names, and for N out of range. */
export function shardNames(name: string): string[] | undefined {
  const parts = /^(.+)@(\d+)$/s.exec(name);
  if (parts === null) return undefined;
  return numbered(parts[1] as string, Number(parts[2]));
}

/** The shards that the pattern `name-?????-of-NNNNN` stands for, in order; undefined for other patterns. */
export function shardPattern(pattern: string): string[] | undefined {
  const parts = /^([^*?[\]]*)-(\?+)-of-(\d+)$/s.exec(pattern);
  if (parts === null || parts[2]?.length !== parts[3]?.length) return undefined;
  return numbered(parts[1] as string, Number(parts[3]), parts[3]?.length);
}

function numbered(base: string, count: number, digits = DIGITS): string[] | undefined {
  if (count < 1 || count > MAX_SHARDS) return undefined;
  const pad = (n: number): string => String(n).padStart(digits, '0');
  return Array.from({ length: count }, (_, index) => `${base}-${pad(index)}-of-${pad(count)}`);
}
