import type { Sequence } from '../engine/numbered';
import { permutation, type Permutation, type Words } from '../random';

/** Checked options of a shuffle of blocks. */
export interface Blocks {
  /** Number of neighbours in a block. */
  readonly blockSize: number;
  /** Number of blocks that are mixed with each other. */
  readonly blocks: number;
}

/**
 * `sequence` cut into blocks of neighbours, which come in a random order; the elements of each group of blocks come in a
 * random order, too. `keyOf` returns the key of the blocks' order, and that of the order inside group `g`. The last block
 * may be shorter. Any position costs the same.
 */
export function inBlocks(
  sequence: Sequence,
  { blockSize, blocks }: Blocks,
  keyOf: (group: number | undefined) => Words,
): Sequence {
  const { length } = sequence;
  const count = Math.ceil(length / blockSize);
  const order = permutation(count, keyOf(undefined));
  const missing = count * blockSize - length;
  /** The place of the short block in the order; if all are full, the last place. */
  const short = missing === 0 ? count - 1 : placeOf(count - 1, order);
  const groupSize = blocks * blockSize;
  /** Position of the first element of the block at `place`. */
  const beginOf = (place: number): number => Math.min(length, place * blockSize - (place > short ? missing : 0));
  const groupAt = (position: number): number => {
    const group = Math.floor(position / groupSize);
    // The groups after the short block begin earlier.
    return beginOf((group + 1) * blocks) <= position ? group + 1 : group;
  };
  const endOf = (group: number): number => beginOf(Math.min(count, (group + 1) * blocks));
  let last: { readonly group: number; readonly inside: Permutation } | undefined;
  const insideOf = (group: number): Permutation => {
    if (last?.group !== group) {
      last = { group, inside: permutation(endOf(group) - beginOf(group * blocks), keyOf(group)) };
    }
    return last.inside;
  };
  return {
    length,
    at(position) {
      const group = groupAt(position);
      const begin = beginOf(group * blocks);
      const inside = begin + insideOf(group).at(position - begin);
      let place = Math.floor(inside / blockSize);
      if (beginOf(place + 1) <= inside) place++;
      return sequence.at(order.at(place) * blockSize + inside - beginOf(place));
    },
    groupEnd: (position) => endOf(groupAt(position)),
  };
}

/** Returns the index at which `order` has `value`. */
function placeOf(value: number, order: Permutation): number {
  let place = 0;
  while (order.at(place) !== value) place++;
  return place;
}
