import { bytesOf } from '../core/bytes-of';
import { sliceChunk, type Chunk, type Mark, type Operator } from '../core/operator';
import type { Run } from '../core/run';
import { Stage } from '../core/stage';

/** `prefetch`: makes elements ready while those before are used. Changes no element, no order and no place. */
export class PrefetchStage extends Stage {
  readonly kind = 'prefetch';
  readonly #count: number;
  readonly #bytes: number;

  constructor(input: Stage, count: number, bytes: number) {
    super(input);
    this.#count = count;
    this.#bytes = bytes;
  }

  open(run: Run, from: Mark): Operator {
    const input = this.openInput(run, from);
    return this.#count === 0 ? input : new PrefetchOperator(input, run, this.#count, this.#bytes);
  }
}

interface Ready {
  readonly chunk: Chunk;
  readonly bytes: number;
}

/** Holds `count` elements and `bytes` bytes at most, beside those being made. */
export class PrefetchOperator implements Operator {
  readonly #input: Operator;
  readonly #run: Run;
  readonly #count: number;
  readonly #bytes: number;
  readonly #ready: Ready[] = [];
  #elements = 0;
  #held = 0;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #making: Promise<void> | undefined;

  constructor(input: Operator, run: Run, count: number, bytes: number) {
    this.#input = input;
    this.#run = run;
    this.#count = count;
    this.#bytes = bytes;
  }

  async next(max: number): Promise<Chunk | undefined> {
    for (;;) {
      this.#make();
      const first = this.#ready.shift();
      if (first !== undefined) return this.#give(first, max);
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#ended || this.#run.scope.closed) return undefined;
      await this.#making;
    }
  }

  async close(): Promise<void> {
    this.#ended = true;
    this.#ready.length = 0;
    await this.#input.close();
  }

  #give({ chunk, bytes }: Ready, max: number): Chunk {
    const { length } = chunk.column;
    // Half of what it may hold at a time, so that the other half is made meanwhile.
    const given = Math.min(length, max, Math.max(1, Math.ceil(this.#count / 2)));
    const share = (bytes * given) / length;
    this.#elements -= given;
    this.#held -= share;
    if (given < length) this.#ready.unshift({ chunk: sliceChunk(chunk, given), bytes: bytes - share });
    this.#make();
    return given < length ? sliceChunk(chunk, 0, given) : chunk;
  }

  /** Starts to make what is still wanted, unless that is under way. */
  #make(): void {
    this.#making ??= this.#fill().finally(() => (this.#making = undefined));
  }

  async #fill(): Promise<void> {
    while (this.#wanted() > 0 && !this.#ended && this.#failure === undefined) {
      try {
        const chunk = await this.#input.next(this.#wanted());
        if (chunk === undefined) this.#ended = true;
        else this.#keep(chunk);
      } catch (error) {
        this.#failure = { error };
      }
    }
  }

  #keep(chunk: Chunk): void {
    const bytes = bytesOf(chunk.column);
    this.#ready.push({ chunk, bytes });
    this.#elements += chunk.column.length;
    this.#held += bytes;
  }

  #wanted(): number {
    return this.#held < this.#bytes ? Math.min(this.#count - this.#elements, this.#run.scope.chunkElements) : 0;
  }
}
