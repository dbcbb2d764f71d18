/** Repeats the draws of a shuffle buffer, to resume from a state. */
import { orNoMemory } from '../../../base';
import type { Scope } from '../../engine/scope';
import type { Draws } from '../../random';

/** Number of draws between two checks of the event loop. */
const TURN = 65_536;
/** Number of draws between two recorded points. */
const NOTE_EVERY = 1024;
/** Stands for an element that was put into the buffer before the replayed draws. */
const UNKNOWN = -1;

/** The state of the draws: the number of elements that had left the buffer, and of the draws for them. */
export type DrawPoint = readonly [given: number, drawn: number];

/** The draws to replay. */
interface Replay {
  /** The size of the buffer. */
  readonly size: number;
  /** The point where the replay starts, and where `draws` is positioned. */
  readonly from: DrawPoint;
  /** Number of elements that had left the buffer at the end of the replay. */
  readonly given: number;
  /** The number of inputs, if the end was reached; else null. */
  readonly total: number | null;
}

/** The buffer after the replay. */
interface Replayed {
  /** The number of the input at each place; -1 if it was put there before `from`. */
  readonly held: Float64Array;
  /** Recorded points of the replay, in order; the first is `from`. */
  readonly points: readonly DrawPoint[];
}

/**
 * Repeats the draws of a shuffle buffer, on numbers in place of elements. All elements that are in the buffer at the
 * end must have been added after the point `from`. Afterwards `draws` is positioned after the last draw. Rejects with
 * ENOMEM if the buffer is too large.
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
  return orNoMemory('<buffer>', 8 * count, () => new Float64Array(count));
}
