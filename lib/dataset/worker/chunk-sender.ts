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
  /** True if results behind the first error are unwanted. */
  readonly untilError: boolean;
  readonly budget: Budget;
  /** Called when a chunk is done. */
  readonly onSettled: () => void;
}

/** Takes elements of an input, sends them to workers, and counts the bytes that are held meanwhile. */
export class ChunkSender {
  readonly pool: WorkerPool;
  readonly #plan: SenderPlan;
  /** Bytes of a result, as far as that is known. */
  #resultBytes = 0;

  constructor(pool: WorkerPool, plan: SenderPlan) {
    this.pool = pool;
    this.#plan = plan;
  }

  /**
   * The next elements in hand of `input`, as many as go over at a time, the first of which is number `index` of its
   * epoch; none where the first cannot be made. `failure`: the error of the one behind them.
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

  /** True if another chunk may be held beside others. */
  get mayHold(): boolean {
    return this.#plan.budget.room > 0;
  }

  /** Nothing is held of `chunk` any more. */
  release(chunk: SentChunk): void {
    this.#hold(chunk, 0);
  }

  /** Elements of `bytes` bytes that go over at a time. */
  #elements(bytes: number): number {
    return Math.min(this.pool.sizer.elements, this.#plan.budget.chunkOf(Math.max(bytes, this.#resultBytes)));
  }

  /** Some element cannot be cloned. */
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
