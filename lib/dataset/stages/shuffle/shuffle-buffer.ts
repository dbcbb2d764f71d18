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
  /** The state of the draws at that time, or somewhat earlier. */
  readonly draws: DrawPoint;
  /** Elements of it that were put into the buffer. */
  put: number;
  /** Elements of it that are held. */
  held: number;
  /** True if `takeSparse` has returned its places. */
  taken: boolean;
}

/** Chunks that may be sparse before they are looked for. */
const FEW = 8;
/** A chunk is sparse when at most this share of it is held. */
const SPARSE = 1 / 4;

/**
 * The chunks of an input that the elements of a buffer came from. A state points to the oldest, and the buffer is read
 * again from there.
 */
export class BufferedChunks {
  /** The oldest first; `#gone` were before it. */
  readonly #chunks: Loaded[] = [];
  #gone = 0;
  /** The number of the chunk of each place. Pointers would cost the collector work whenever one is replaced. */
  #of = new Int32Array(1024);

  /**
   * Notes that a chunk was loaded. Its first element is at `mark`, number `first` of the epoch; `draws` is the state of
   * the draws.
   */
  load(mark: Mark, first: number, draws: DrawPoint): void {
    this.#chunks.push({ mark, first, draws, put: 0, held: 0, taken: false });
  }

  /** An element of the chunk loaded last goes to place `at`. */
  put(at: number): void {
    const last = this.#chunks.length - 1;
    const chunk = this.#chunks[last]!;
    chunk.put++;
    chunk.held++;
    while (at >= this.#of.length) this.#grow();
    this.#of[at] = this.#gone + last;
  }

  /** The element at place `at` has left. */
  left(at: number): void {
    this.#chunks[this.#of[at]! - this.#gone]!.held--;
  }

  /** The element of the last place, `last`, goes to `at`. */
  move(last: number, at: number): void {
    this.#of[at] = this.#of[last]!;
  }

  /** The oldest chunk of which an element is held. Some was loaded. */
  oldest(): Pick<Loaded, 'mark' | 'first' | 'draws'> {
    let gone = 0;
    while (gone < this.#chunks.length - 1 && this.#chunks[gone]?.held === 0) gone++;
    if (gone > 0) this.#chunks.splice(0, gone);
    this.#gone += gone;
    return this.#chunks[0]!;
  }

  /**
   * The places, among the first `length`, of the elements of a sparse chunk; undefined if there is none. Returns each
   * chunk once.
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

/** Draws between two checks of the event loop. */
const TURN = 65_536;
/** Draws between two noted points. */
const NOTE_EVERY = 1024;
/** An element that was put into the buffer before the replayed draws. */
const UNKNOWN = -1;

/** The state of the draws: the elements that had left the buffer, and the numbers drawn for them. */
export type DrawPoint = readonly [given: number, drawn: number];

/** The draws to replay. */
interface Replay {
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
interface Replayed {
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
  return orNoMemory('<buffer>', 8 * count, () => new Float64Array(count));
}
