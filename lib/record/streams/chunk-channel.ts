import { checkChunk, type ChunkPull } from '../../io';

interface Offer {
  readonly chunk: Uint8Array;
  readonly taken: () => void;
  readonly refused: (error: unknown) => void;
}

interface Demand {
  readonly give: (chunk: Uint8Array | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** The bytes that are written to a stream, as a source that a reader pulls. One write is pending at a time. */
export class ChunkChannel implements ChunkPull {
  /** A chunk that the reader has not finished with. */
  #offer: Offer | undefined;
  /** True if the reader has the chunk of the offer. */
  #given = false;
  #demand: Demand | undefined;
  #ended = false;
  #closed = false;
  #failure: { readonly error: unknown } | undefined;

  /**
   * Resolves when the reader has copied `chunk`. After the reader has ended, drops `chunk` and resolves in the next
   * turn of the event loop, so that other code can stop an endless source. @throws TypeError for other values, which
   * end the reading, too
   */
  write(chunk: unknown): Promise<void> {
    return new Promise<void>((taken, refused) => {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#closed) {
        setImmediate(taken);
        return;
      }
      try {
        this.#offer = { chunk: checkChunk(chunk), taken, refused };
      } catch (error) {
        this.fail(error);
        throw error;
      }
      this.#given = false;
      this.#meet();
    });
  }

  /** The reader gets the end after what was written. */
  end(): void {
    this.#ended = true;
    this.#meet();
  }

  /** The reader gets `error` instead of more chunks. The first error counts. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#offer?.refused(error);
    this.#offer = undefined;
    this.#demand?.fail(error);
    this.#demand = undefined;
  }

  next(): Promise<Uint8Array | undefined> {
    // Readers ask for the next chunk when they have copied the last one.
    if (this.#given) {
      this.#offer?.taken();
      this.#offer = undefined;
      this.#given = false;
    }
    return new Promise((give, fail) => {
      if (this.#failure !== undefined) throw this.#failure.error;
      this.#demand = { give, fail };
      this.#meet();
    });
  }

  close(): Promise<void> {
    this.#closed = true;
    if (this.#offer !== undefined) setImmediate(this.#offer.taken);
    this.#offer = undefined;
    this.#given = false;
    return Promise.resolve();
  }

  #meet(): void {
    const demand = this.#demand;
    if (demand === undefined || this.#given || (this.#offer === undefined && !this.#ended)) return;
    this.#demand = undefined;
    this.#given = this.#offer !== undefined;
    demand.give(this.#offer?.chunk);
  }
}
