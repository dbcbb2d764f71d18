import { invalidArgValue } from '../../base';
import type { Output } from './output';

/** Writes to a web WritableStream, which stays locked until it ends. */
export class WebOutput implements Output {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  /** The promise of the last write. */
  #last: Promise<void> = Promise.resolve();

  /** @throws TypeError ERR_INVALID_ARG_VALUE if the stream is locked. */
  constructor(stream: WritableStream<Uint8Array>) {
    if (stream.locked) throw invalidArgValue('target', 'a stream that is not locked', stream);
    this.#writer = stream.getWriter();
    quiet(this.#writer.closed);
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#writer.ready;
    this.#last = this.#writer.write(chunk);
    quiet(this.#last);
    await this.#writer.ready;
  }

  async flush(): Promise<void> {
    await this.#last;
  }

  async end(): Promise<void> {
    await this.#writer.close();
    this.#writer.releaseLock();
  }

  abort(reason: unknown): undefined {
    quiet(this.#writer.abort(reason));
    quiet(this.#writer.ready);
  }
}

/** Keeps a rejection of `promise` from counting as unhandled: the error is also reported elsewhere. */
function quiet(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}
