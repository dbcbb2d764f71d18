import { finished, type Writable } from 'node:stream';

import { invalidArgValue } from '../../base';
import type { Output } from './output';

/** Writes to a Node Writable, and ends or destroys it. */
export class NodeOutput implements Output {
  readonly #stream: Writable;
  /** Number of chunks whose callback the stream has not called yet. */
  #pending = 0;
  #full = false;
  #finished = false;
  #failure: { readonly error: unknown } | undefined;
  /** Wakes the one call that waits. */
  #wake: (() => void) | undefined;

  /** @throws TypeError ERR_INVALID_ARG_VALUE for a stream that has ended. */
  constructor(stream: NodeJS.WritableStream) {
    if (!stream.writable) throw invalidArgValue('target', 'a stream that can still be written', stream);
    this.#stream = stream as unknown as Writable;
    const onDrain = (): void => {
      this.#full = false;
      this.#wake?.();
    };
    this.#stream.on('drain', onDrain);
    // Without `readable`: a Transform's readable side ends only when somebody reads it.
    finished(this.#stream, { readable: false }, (error) => {
      this.#stream.off('drain', onDrain);
      // Nobody is left to handle errors that the stream emits later.
      this.#stream.on('error', () => undefined);
      this.#finished = true;
      this.#settle(error);
    });
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#check();
    this.#pending++;
    this.#full = !this.#stream.write(chunk, (error) => {
      this.#pending--;
      this.#settle(error);
    });
    await this.#until(() => !this.#full);
  }

  flush(): Promise<void> {
    return this.#until(() => this.#pending === 0);
  }

  async end(): Promise<void> {
    this.#check();
    this.#stream.end();
    await this.#until(() => this.#finished);
  }

  abort(reason: unknown): undefined {
    // Streams older than Node's second stream interface have no `destroy`.
    this.#stream.destroy?.(reason instanceof Error ? reason : undefined);
  }

  #settle(error: Error | null | undefined): void {
    if (error) this.#failure ??= { error };
    this.#wake?.();
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #until(condition: () => boolean): Promise<void> {
    while (this.#failure === undefined && !condition()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    this.#check();
  }
}
