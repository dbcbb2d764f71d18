import { StoreError, type ObjectBody, type ObjectRange, type ObjectStore } from '../../../lib/io/remote/object-store';

/** The objects repeat these bytes. Their number is a prime, so ranges that begin at round numbers differ. */
const BLOCK = Buffer.from(Array.from({ length: 65_521 }, (_, i) => (i ^ (i >> 8)) & 0xff));
const BLOCKS = Buffer.concat(Array<Buffer>(64).fill(BLOCK));

/** Returns the bytes of the object of each {@link HeldStore} from `start` to before `end`, at most 4 MiB. */
export function objectBytes(start: number, end: number): Buffer {
  const from = start % BLOCK.length;
  return BLOCKS.subarray(from, from + end - start);
}

/** An answer that sends only the bytes that the test lets go. Like some clients, it does not hear that its request is aborted. */
export class HeldAnswer {
  readonly start: number;
  readonly end: number;
  readonly signal: AbortSignal;
  #sent: number;
  #allowed: number;
  #failed = false;
  #wake: (() => void) | undefined;

  constructor({ start, end }: ObjectRange, signal: AbortSignal) {
    this.start = this.#sent = this.#allowed = start;
    this.end = end;
    this.signal = signal;
  }

  /** Sends `bytes` more bytes. Default: all of them. */
  send(bytes = Infinity): void {
    this.#allowed = Math.min(this.end, this.#allowed + bytes);
    this.#wake?.();
  }

  /** Fails, for good, once the bytes that were let go are sent. */
  fail(): void {
    this.#failed = true;
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    while (this.#sent === this.#allowed && this.#sent < this.end && !this.#failed) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#sent === this.end) return { done: true, value: undefined };
    if (this.#sent === this.#allowed) throw new StoreError('refused', 'HTTP 400');
    const value = objectBytes(this.#sent, this.#allowed);
    this.#sent = this.#allowed;
    return { done: false, value };
  }
}

/** A store with one object of `size` bytes. `onAnswer` is called with each answer to a read. */
export class HeldStore implements ObjectStore {
  readonly answers: HeldAnswer[] = [];
  readonly #size: number;
  readonly #onAnswer: (answer: HeldAnswer) => void;

  constructor(size: number, onAnswer: (answer: HeldAnswer) => void = () => undefined) {
    this.#size = size;
    this.#onAnswer = onAnswer;
  }

  read(_url: string, { start, end }: ObjectRange, signal: AbortSignal): Promise<ObjectBody> {
    const answer = new HeldAnswer({ start, end: Math.min(end, this.#size) }, signal);
    this.answers.push(answer);
    this.#onAnswer(answer);
    return Promise.resolve({ start, size: this.#size, chunks: answer });
  }

  /** The ranges that were requested, in the order of the object. */
  get ranges(): (readonly [start: number, end: number])[] {
    return this.answers.map(({ start, end }) => [start, end] as const).sort(([a], [b]) => a - b);
  }
}
