import type { Budget } from '../engine/scope';
import { meanBytesOf } from '../engine/sizes';
import type { Elements } from '../engine/elements';
import type { Input } from '../engine/input';
import type { Words } from '../random';
import type { ChunkMessage } from './messages';
import { packElements, withoutUncloneable } from './pack-elements';
import { packOrigins } from '../engine/origins';
import { SentChunk } from './sent-chunk';
import { WorkerFault } from './worker-errors';
import type { WorkerPool } from './worker-pool';

/** The settings that all chunks of one pass share. */
interface SenderPlan {
  readonly epoch: number;
  /** The key of the stage. */
  readonly key: Words;
  /** True if results after the first error are not needed. */
  readonly untilError: boolean;
  readonly budget: Budget;
  /** Called when a chunk has settled. */
  readonly onSettled: () => void;
}

/** Sends elements of an input to workers, and counts the bytes that are held meanwhile. */
export class ChunkSender {
  readonly pool: WorkerPool;
  readonly #plan: SenderPlan;
  /** Approximate bytes of a result; 0 before the first. */
  #resultBytes = 0;

  constructor(pool: WorkerPool, plan: SenderPlan) {
    this.pool = pool;
    this.#plan = plan;
  }

  /**
   * Sends the next loaded elements of `input`, as one chunk; the first is number `index` of its epoch. No chunk is sent
   * if the first element cannot be made. `failure` is the error of the element after those sent.
   */
  send(input: Input, index: number): { readonly chunk: SentChunk | undefined; readonly failure: Failure } {
    const { mark, elements: given, index: begin } = input;
    const most = this.#elements(meanBytesOf(given));
    const elements = given.slice(begin, Math.min(given.length, begin + most));
    const { parcel, failure } = packElements(elements, this.pool.plan.parallel);
    const { count, packed, transfer } = parcel;
    if (count === 0) return { chunk: undefined, failure };
    input.index += count;
    const { origins } = elements;
    const chunk = new SentChunk(mark, index, count, origins);
    this.#hold(chunk, meanBytesOf(elements) * count);
    const { epoch, key, untilError } = this.#plan;
    const placed = { origins: packOrigins(origins, 0, count), index, epoch, key, untilError };
    try {
      this.#post(chunk, { ...placed, elements: packed, without: [] }, transfer);
    } catch {
      this.#postRest(chunk, elements, placed);
    }
    return { chunk, failure };
  }

  /** True if the budget has room for another chunk. */
  get mayHold(): boolean {
    return this.#plan.budget.room > 0;
  }

  /** Releases the bytes of `chunk`. */
  release(chunk: SentChunk): void {
    this.#hold(chunk, 0);
  }

  /** Returns the number of elements of `bytes` bytes to send at a time. */
  #elements(bytes: number): number {
    return Math.min(this.pool.sizer.elements, this.#plan.budget.chunkOf(Math.max(bytes, this.#resultBytes)));
  }

  /** Sends the elements of `chunk` that can be cloned, after some could not. */
  #postRest(chunk: SentChunk, elements: Elements, placed: Omit<Message, 'elements' | 'without'>): void {
    const { parcel, without } = withoutUncloneable(elements, chunk.length);
    chunk.leaveOut(without);
    this.#post(chunk, { ...placed, elements: parcel.packed, without }, parcel.transfer);
  }

  #post(chunk: SentChunk, message: Message, transfer: readonly ArrayBuffer[]): void {
    chunk.id = this.pool.send(message, transfer, {
      settle: (reply) => {
        try {
          if (reply !== undefined) this.#received(chunk, chunk.settle(reply));
        } catch (error) {
          chunk.fault = new WorkerFault('sent what could not be read', error);
        }
        this.#plan.onSettled();
      },
      fail: (fault) => {
        chunk.fault = fault;
        this.#plan.onSettled();
      },
    });
  }

  #received(chunk: SentChunk, bytes: number): void {
    this.#resultBytes = bytes / chunk.length;
    this.#hold(chunk, bytes);
  }

  #hold(chunk: SentChunk, bytes: number): void {
    this.#plan.budget.hold(bytes - chunk.bytes);
    chunk.bytes = bytes;
  }
}

type Message = Omit<ChunkMessage, 'id'>;
type Failure = { readonly error: unknown } | undefined;
