import {
  MAX_CREDITS,
  type Ask,
  type Asks,
  type FileState,
  type Port,
  type Problem,
  type ToHost,
  type ToPage,
} from './messages';

/** An error in an answer of the host. */
export class HostError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** Callbacks and limits for a request. */
export interface AskOptions<A extends Ask> {
  /** Called with each batch. The host may send another one after it has returned. */
  readonly onBatch?: (batch: Asks[A]['batch']) => void;
  /** Cancels the request when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum number of batches under way. Default: 4. */
  readonly credits?: number;
}

interface Pending {
  readonly onBatch: (batch: unknown) => void;
  readonly resolve: (done: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The page's end of the protocol: sends requests, and receives answers.
 *
 * @example
 * const client = new Client(port);
 * const tree = await client.ask('record', { file: 0, record: 7 });
 */
export class Client {
  readonly #port: Port;
  readonly #pending = new Map<number, Pending>();
  #last = 0;
  #closed = false;

  constructor(port: Port) {
    this.#port = port;
    port.onMessage((message) => this.#take(message as ToPage));
    port.onClose(() => {
      this.#closed = true;
      for (const { reject } of this.#pending.values()) reject(closedError());
      this.#pending.clear();
    });
  }

  /**
   * Sends a request. Resolves to its last answer, after all batches. @throws HostError if the host answers with an
   * error; the signal's reason if it aborts
   */
  ask<A extends Ask>(ask: A, args: Asks[A]['args'], options: AskOptions<A> = {}): Promise<Asks[A]['done']> {
    const { onBatch, signal, credits = 4 } = options;
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(closedError());
        return;
      }
      signal?.throwIfAborted();
      const id = ++this.#last;
      const abort = (): void => {
        if (this.#pending.delete(id)) this.#post({ id, cancel: true });
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
      const ended =
        <T>(end: (value: T) => void) =>
        (value: T): void => {
          signal?.removeEventListener('abort', abort);
          end(value);
        };
      this.#pending.set(id, {
        onBatch: (batch) => {
          onBatch?.(batch as Asks[A]['batch']);
          if (this.#pending.has(id)) this.#post({ id, grant: 1 });
        },
        resolve: ended(resolve as (done: unknown) => void),
        reject: ended(reject),
      });
      this.#post({ id, ask, args, credits: Math.min(credits, MAX_CREDITS) } as ToHost);
    });
  }

  #post(message: ToHost): void {
    this.#port.post(message);
  }

  #take(message: ToPage): void {
    const pending = this.#pending.get(message.id);
    // A batch may arrive after its request was cancelled.
    if (pending === undefined) return;
    if ('batch' in message) {
      pending.onBatch(message.batch);
      return;
    }
    this.#pending.delete(message.id);
    if ('done' in message) pending.resolve(message.done);
    else pending.reject(new HostError(message.error));
  }
}

/** Returns `files`, updated by a batch of the request `files`. */
export function withStates(files: readonly FileState[], batch: Asks['files']['batch']): readonly FileState[] {
  const next = [...files];
  for (const state of batch) next[state.file] = state;
  return next;
}

function closedError(): HostError {
  return new HostError({ code: 'TFR_CLOSED', message: 'The program that reads the files has ended.', record: null });
}
