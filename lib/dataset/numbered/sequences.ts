/** Orders of records, each computed position by position, in constant memory. */
import type { Numbered, Sequence } from '../engine/numbered';
import type { Stage } from '../engine/stage';
import { permutation, type Words } from '../random';

/** Returns the elements of `input` by their numbers, in the order that `change` makes of theirs. */
export function mapped(
  input: Pick<Stage, 'numbered'> | undefined,
  change: (sequence: Sequence) => Sequence,
): Numbered | undefined {
  const numbered = input?.numbered;
  return numbered && { open: numbered.open, sequence: (run, count) => change(numbered.sequence(run, count)) };
}

/** The records in the order of the files. */
export function inOrder(count: number): Sequence {
  return { length: count, at: (position) => position, inOrder: true };
}

/** `sequence` in the random order of `key`: all of it, each position once. */
export function permuted(sequence: Sequence, key: Words): Sequence {
  const order = permutation(sequence.length, key);
  return { length: sequence.length, at: (position) => sequence.at(order.at(position)) };
}

/** `sequence` from position `first` on, up to `most` positions. */
export function part(sequence: Sequence, first: number, most = Infinity): Sequence {
  const { groupEnd, valid, inOrder: ordered } = sequence;
  const length = Math.max(0, Math.min(sequence.length - first, most));
  return {
    length,
    at: (position) => sequence.at(first + position),
    inOrder: ordered,
    valid: valid && ((position) => valid(first + position)),
    groupEnd: groupEnd && ((position) => Math.min(length, groupEnd(first + position) - first)),
  };
}

/** The share of one of several shards. */
export interface Share {
  /** Number of shards. */
  readonly count: number;
  /** Number of this shard. */
  readonly index: number;
  /** See `DatasetShardOptions.uneven`. */
  readonly uneven: 'keep' | 'drop' | 'pad';
}

/** Every `count`-th position of `sequence`, from position `index` on. */
export function everyNth(sequence: Sequence, { count, index, uneven }: Share): Sequence {
  const own = Math.max(0, Math.ceil((sequence.length - index) / count));
  return padded(sequence, own, { count, index, uneven }, (position) => index + count * position);
}

/** Neighbouring positions of `sequence`: the first shards have one more. */
export function neighbours(sequence: Sequence, { count, index, uneven }: Share): Sequence {
  const least = Math.floor(sequence.length / count);
  const more = sequence.length % count;
  const begin = index * least + Math.min(index, more);
  const own = least + (index < more ? 1 : 0);
  const share = padded(sequence, own, { count, index, uneven }, (position) => begin + position);
  return { ...share, inOrder: sequence.inOrder };
}

/** The positions `of(0)` to `of(own - 1)` of `sequence`, without the last one or with padding if `uneven` says so. */
function padded(sequence: Sequence, own: number, share: Share, of: (position: number) => number): Sequence {
  const { length } = sequence;
  const { count, index, uneven } = share;
  const least = Math.floor(length / count);
  const most = Math.ceil(length / count);
  // An empty shard is padded with elements of others.
  const again = own > 0 ? of(0) : index % Math.max(1, length);
  const whole = (position: number): number => (position < own ? of(position) : again);
  return {
    length: uneven === 'keep' ? own : uneven === 'drop' ? least : most,
    at: (position) => sequence.at(whole(position)),
    valid: (position) => position < own && (sequence.valid?.(of(position)) ?? true),
  };
}
