import type { Output } from '../../io';

/** The readable side of a stream. */
export interface ReadableSide {
  /** Adds a chunk to what can be read. */
  push(chunk: Uint8Array): void;
  end(): void;
  fail(error: unknown): void;
}

/** The bytes of a writer, which somebody reads from a stream. The writer waits until the reader wants more. */
export class PulledOutput implements Output {
  readonly #readable: ReadableSide;
  #wanted = false;
  #failure: { readonly error: unknown } | undefined;
  /** Wakes the one call that waits. */
  #wake: (() => void) | undefined;

  constructor(readable: ReadableSide) {
    this.#readable = readable;
  }

  /** The reader wants more. */
  wanted(): void {
    this.#wanted = true;
    this.#wake?.();
  }

  /** The reader wants nothing any more: writing fails with `error`. */
  cancel(error: unknown): void {
    this.#failure ??= { error };
    this.#wake?.();
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#check();
    this.#wanted = false;
    this.#readable.push(chunk);
    await this.#room();
  }

  flush(): Promise<void> {
    return this.#room();
  }

  end(): Promise<void> {
    this.#check();
    this.#readable.end();
    return Promise.resolve();
  }

  abort(reason: unknown): undefined {
    this.cancel(reason);
    this.#readable.fail(reason);
  }

  async #room(): Promise<void> {
    while (!this.#wanted && this.#failure === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    this.#check();
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
