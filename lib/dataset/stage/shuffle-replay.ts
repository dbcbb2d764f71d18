import type { Draws } from '../random';

/**
 * The draws of a shuffle buffer of `size`, made again on numbers: which inputs are in the buffer, by place, when `given`
 * elements have left it. `total`: how many inputs there are, where the end was reached. `draws` stands behind the last of
 * them then.
 */
export function replayShuffle(size: number, given: number, total: number | undefined, draws: Draws): Float64Array {
  const end = total ?? Infinity;
  let next = Math.min(size, end);
  let held = next;
  const buffer = Float64Array.from({ length: held }, (_, i) => i);
  for (let i = 0; i < given; i++) {
    const at = draws.below(held);
    if (next < end) buffer[at] = next++;
    else buffer[at] = buffer[--held] as number;
  }
  return buffer.slice(0, held);
}
