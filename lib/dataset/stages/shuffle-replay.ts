import { orNoMemory } from '../../record';
import type { Scope } from '../engine/scope';
import type { Draws } from '../random';

/** Draws between two checks of the event loop. */
const TURN = 65_536;
/** Draws between two noted points. */
const NOTE_EVERY = 1024;
/** An element that was put into the buffer before the replayed draws. */
const UNKNOWN = -1;

/** The state of the draws: the elements that had left the buffer, and the numbers drawn for them. */
export type DrawPoint = readonly [given: number, drawn: number];

/** The draws to replay. */
export interface Replay {
  /** The size of the buffer. */
  readonly size: number;
  /** The point where the replay starts; `draws` stands there. */
  readonly from: DrawPoint;
  /** Elements that had left the buffer at the end of the replay. */
  readonly given: number;
  /** The number of inputs, if the end was reached; else null. */
  readonly total: number | null;
}

/** The buffer after the replay. */
export interface Replayed {
  /** The number of the input at each place; -1 if it was put there before `from`. */
  readonly held: Float64Array;
  /** Some of the points passed, in order; the first is `from`. */
  readonly points: readonly DrawPoint[];
}

/**
 * Makes the draws of a shuffle buffer again, on numbers in place of elements. `from` is a point after which every
 * element came that is in the buffer now. Afterwards `draws` stands after the last draw. Rejects with ENOMEM if the
 * buffer is too large.
 */
export async function replayShuffle(
  { size, from, given, total }: Replay,
  draws: Draws,
  scope: Scope,
): Promise<Replayed> {
  const end = total ?? Infinity;
  const [first] = from;
  let next = Math.min(size + first, end);
  let held = next - first;
  const buffer = numbers(held);
  for (let at = 0; at < held; at++) buffer[at] = first === 0 ? at : UNKNOWN;
  const points: DrawPoint[] = [];
  for (let i = first; i < given; i++) {
    if ((i - first) % NOTE_EVERY === 0) points.push([i, draws.drawn]);
    if ((i - first) % TURN === TURN - 1) {
      await scope.breathe();
      if (scope.closed) break;
    }
    const at = draws.below(held);
    if (next < end) buffer[at] = next++;
    else buffer[at] = buffer[--held]!;
  }
  if (points.length === 0) points.push(from);
  return { held: buffer.slice(0, held), points };
}

function numbers(count: number): Float64Array {
  return orNoMemory('<buffer>', () => new Float64Array(count));
}
