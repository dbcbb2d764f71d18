import type { Origin } from '../../base';
import { ArrayElements } from '../engine/elements';
import { markAfter, countedMark, type Chunk, type Mark } from '../engine/operator';
import { movedOrigins, type Origins } from '../engine/origins';
import { meanBytesOf } from '../engine/sizes';
import type { ChunkReply } from './messages';
import { OUR_CLASSES } from './our-classes';
import { unpackThrown, type PackedThrown } from './packed-thrown';
import { unpackValues } from './packed-values';
import type { WorkerFault } from './worker-errors';

/** An element without a result. */
interface Failed {
  readonly origin: Origin | undefined;
  /** The error of the function; undefined if the element could not be sent. */
  readonly thrown: { readonly cause: unknown } | undefined;
}

/** A chunk that was sent to a worker; returns its results, in order. */
export class SentChunk {
  /** Its number in the pool. */
  id = -1;
  /** Number of elements. */
  readonly length: number;
  /** Bytes that count against the budget for it. */
  bytes = 0;
  /** The fault of the worker, if it ended without results. */
  fault: WorkerFault | undefined;
  readonly #mark: Mark;
  readonly #index: number;
  readonly #origins: Origins;
  readonly #unsent = new Set<number>();
  #at = 0;
  #count = -1;
  #value: (index: number) => unknown = () => undefined;
  #thrown: ReadonlyMap<number, PackedThrown> = new Map();

  /** @param mark of the first element @param index of the first element in its epoch @param origins of all elements */
  constructor(mark: Mark, index: number, length: number, origins: Origins) {
    this.length = length;
    this.#mark = mark;
    this.#index = index;
    this.#origins = origins;
  }

  /** Marks elements, by number, that are not sent, and fail. */
  leaveOut(elements: Iterable<number>): void {
    for (const element of elements) this.#unsent.add(element);
  }

  /** Stores a reply. Returns the approximate bytes of its results. */
  settle({ results, count, thrown }: ChunkReply): number {
    this.#value = unpackValues(results, OUR_CLASSES);
    this.#thrown = new Map(thrown);
    this.#count = count;
    if ('bytes' in results) return results.bytes.byteLength;
    return count === 0 ? 0 : meanBytesOf(new ArrayElements(results.values)) * count;
  }

  /** True if the reply or a fault was received. */
  get settled(): boolean {
    return this.#count >= 0 || this.fault !== undefined;
  }

  /** True if all results were returned. */
  get done(): boolean {
    return this.#at === this.#count;
  }

  /** Returns up to `max` of the next results; undefined if the next element failed. */
  results(max: number): Chunk | undefined {
    const begin = this.#at;
    const values: unknown[] = [];
    while (this.#at < this.#count && values.length < max && !this.#fails(this.#at))
      values.push(this.#value(this.#at++));
    if (values.length === 0) return undefined;
    const origins = movedOrigins(this.#origins, (index) => begin + index);
    return {
      elements: new ArrayElements(values, origins),
      mark: countedMark(markAfter(this.#mark, begin), this.#index + begin),
    };
  }

  /** Skips the next element, which failed, and returns its error. */
  failed(): Failed {
    const element = this.#at++;
    const thrown = this.#thrown.get(element);
    return {
      origin: this.#origins.origin(element),
      thrown: thrown === undefined ? undefined : { cause: unpackThrown(thrown) },
    };
  }

  #fails(element: number): boolean {
    return this.#thrown.has(element) || this.#unsent.has(element);
  }
}
