import { onAbort, TFRecordError } from '../../base';

/** A use that `close` ends. */
interface Closable {
  close(): Promise<unknown>;
}

/** The reads of the source of an index, and the writes of what it holds. Closing the index ends them and waits for them. */
export class IndexUses {
  readonly #file: string;
  /** Ends all uses when it aborts. */
  readonly signal: AbortSignal | undefined;
  readonly #open = new Set<Closable>();
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  /** `file`: the name in errors. */
  constructor(file: string, signal: AbortSignal | undefined) {
    this.#file = file;
    this.signal = signal;
  }

  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /** @throws `signal.reason` after an abort; TFRecordError TFR_CLOSED after `close` */
  check(): void {
    this.signal?.throwIfAborted();
    if (this.closed) throw this.closedError();
  }

  closedError(): TFRecordError {
    return new TFRecordError('TFR_CLOSED', `The index of ${this.#file} is closed.`, { file: this.#file });
  }

  /** Runs `work`, for which `close` waits. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Lets `close`, and an abort, close `opened`. Returns a function that closes it now. */
  add(opened: Closable): () => Promise<void> {
    this.#open.add(opened);
    const close = (): void => void opened.close().catch(() => undefined);
    const forget = this.signal === undefined ? undefined : onAbort(this.signal, close);
    return async () => {
      forget?.();
      await opened.close();
      this.#open.delete(opened);
    };
  }

  /** Ends all uses. Resolves when they have ended. Idempotent. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const closing = Array.from(this.#open, (opened) => opened.close());
    // Their errors are those of their own callers.
    await Promise.allSettled([...closing, ...this.#running]);
    await Promise.all(closing);
  }
}
