import { orNoMemory } from '../../../base';
import type { Mark } from '../../engine/operator';
import type { Scope } from '../../engine/scope';
import type { Draws, Words } from '../../random';

/** Checked options of a shuffle. */
export interface ShuffleSettings {
  readonly size: number;
  readonly seed: Words | undefined;
  readonly reshuffle: boolean;
}

interface Loaded {
  readonly mark: Mark;
  /** Number of its first element in the epoch. */
  readonly first: number;
  /** The state of the draws when the chunk was loaded, or somewhat earlier. */
  readonly draws: DrawPoint;
  /** Number of its elements that were put into the buffer. */
  put: number;
  /** Number of its elements that are in the buffer. */
  held: number;
  /** True if `takeSparse` has returned its places. */
  taken: boolean;
}

/** Number of chunks from which on sparse chunks are searched. */
const FEW = 8;
/** A chunk is sparse if at most this share of its elements is in the buffer. */
const SPARSE = 1 / 4;

/**
 * Tracks the chunks of an input that the elements of a shuffle buffer belong to. A state points to the oldest; resuming
 * reads the buffer again from there.
 */
export class BufferedChunks {
  /** The chunks, the oldest first; `#gone` is the number of chunks removed before it. */
  readonly #chunks: Loaded[] = [];
  #gone = 0;
  /**
   * The number of the chunk of each buffer place. Numbers, because replacing references would burden the garbage
   * collector.
   */
  #of = new Int32Array(1024);

  /**
   * Called when a chunk was loaded. Its first element is at `mark`, number `first` of the epoch; `draws` is the state
   * of the draws.
   */
  load(mark: Mark, first: number, draws: DrawPoint): void {
    this.#chunks.push({ mark, first, draws, put: 0, held: 0, taken: false });
  }

  /** Called when an element of the last chunk was put at place `at`. */
  put(at: number): void {
    const last = this.#chunks.length - 1;
    const chunk = this.#chunks[last]!;
    chunk.put++;
    chunk.held++;
    while (at >= this.#of.length) this.#grow();
    this.#of[at] = this.#gone + last;
  }

  /** Called when the element at place `at` has left the buffer. */
  left(at: number): void {
    this.#chunks[this.#of[at]! - this.#gone]!.held--;
  }

  /** Called when the element of the last place, `last`, was moved to `at`. */
  move(last: number, at: number): void {
    this.#of[at] = this.#of[last]!;
  }

  /** Returns the oldest chunk that has an element in the buffer. Requires a loaded chunk. */
  oldest(): Pick<Loaded, 'mark' | 'first' | 'draws'> {
    let gone = 0;
    while (gone < this.#chunks.length - 1 && this.#chunks[gone]?.held === 0) gone++;
    if (gone > 0) this.#chunks.splice(0, gone);
    this.#gone += gone;
    return this.#chunks[0]!;
  }

  /**
   * Returns the places, among the first `length`, of the elements of a sparse chunk; undefined if no chunk is sparse.
   * Returns each chunk once.
   */
  takeSparse(length: number): number[] | undefined {
    const end = this.#chunks.length - 1;
    if (end <= FEW) return undefined;
    const number = this.#chunks.findIndex(
      ({ put, held, taken }, i) => !taken && i < end && held > 0 && held <= SPARSE * put,
    );
    if (number < 0) return undefined;
    this.#chunks[number]!.taken = true;
    const places: number[] = [];
    for (let at = 0; at < length; at++) if (this.#of[at] === this.#gone + number) places.push(at);
    return places;
  }

  #grow(): void {
    const of = new Int32Array(2 * this.#of.length);
    of.set(this.#of);
    this.#of = of;
  }
}

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
