import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';

import type { ChunkMessage, ChunkReply, FromThread, ThreadData, ToThread } from './messages';
import { unpackThrown } from './packed-thrown';
import { threadEntry } from './thread-entry';
import { WorkerFault } from './worker-errors';

/** Grace period in milliseconds before a worker that ignores its signal is terminated. */
const GRACE_MS = 50;

/** Receives the reply for a chunk; undefined if the chunk was dropped, or the worker was ended. */
export interface Waiter {
  readonly settle: (reply: ChunkReply | undefined) => void;
  readonly fail: (fault: WorkerFault) => void;
}

/** The main thread's handle of a worker thread. */
export class WorkerThread {
  readonly #worker: Worker;
  /** The port to the thread. `parentPort` is left to the user's module. */
  readonly #port: MessagePort;
  /** The waiters of the chunks that the thread has, including dropped ones. */
  readonly #waiters = new Map<number, Waiter | undefined>();
  readonly #onFault: (fault: WorkerFault) => void;
  #fault: WorkerFault | undefined;
  #ending: Promise<void> | undefined;
  /** Called when the thread has exited, or has replied `ended`. */
  #onQuiet = (): void => undefined;

  /** Calls `onFault` at most once, and not after `end`. @throws the errors of `new Worker` */
  constructor(data: Omit<ThreadData, 'port'>, onFault: (fault: WorkerFault) => void) {
    this.#onFault = onFault;
    const { port1, port2: port } = new MessageChannel();
    const workerData: ThreadData = { ...data, port };
    this.#worker = new Worker(threadEntry(), {
      workerData,
      transferList: [port],
      name: `mapWorker ${data.worker}`,
    });
    this.#worker.unref();
    this.#port = port1;
    port1.on('message', (message: FromThread) => this.#receive(message));
    port1.on('messageerror', (error) => this.#fail(new WorkerFault('sent what could not be read', error)));
    port1.unref();
    this.#worker.on('error', (error) =>
      this.#fail(new WorkerFault('failed outside of a call, or ran out of memory', error)),
    );
    this.#worker.on('exit', (code) => {
      this.#receiveAll();
      this.#fail(new WorkerFault(`ended before its work was done: exit code ${code}`));
      this.#onQuiet();
    });
  }

  /** Number of chunks that the thread has. */
  get chunks(): number {
    return this.#waiters.size;
  }

  /** Sets whether the thread keeps the process alive. A thread that is being ended does so until it has exited. */
  hold(held: boolean): void {
    if (this.#ending !== undefined) return;
    if (held) this.#worker.ref();
    else this.#worker.unref();
  }

  /** Sends a chunk. @throws DataCloneError if an element cannot be cloned */
  send(chunk: ChunkMessage, transfer: readonly ArrayBuffer[], waiter: Waiter): void {
    this.#post({ chunk }, transfer);
    this.#waiters.set(chunk.id, waiter);
  }

  /** Drops these chunks: their results are not needed. */
  drop(ids: readonly number[]): void {
    const own = ids.filter((id) => this.#waiters.has(id));
    if (own.length === 0) return;
    for (const id of own) this.#waiters.set(id, undefined);
    this.#post({ drop: own });
  }

  /**
   * Asks the thread to end, waits {@link GRACE_MS} for pending calls, and terminates it. Resolves when the thread has
   * exited. Idempotent.
   */
  end(): Promise<void> {
    return (this.#ending ??= this.#end());
  }

  async #end(): Promise<void> {
    const waiters = [...this.#waiters.values()];
    const busy = waiters.length > 0 && this.#fault === undefined;
    this.#waiters.clear();
    for (const waiter of waiters) waiter?.settle(undefined);
    // The caller may have nothing else that keeps the process alive.
    this.#worker.ref();
    if (busy) {
      const quiet = new Promise<void>((resolve) => (this.#onQuiet = resolve));
      const patience = new AbortController();
      this.#post({ end: true });
      await Promise.race([quiet, sleep(GRACE_MS, undefined, { signal: patience.signal }).catch(() => undefined)]);
      patience.abort();
    }
    await this.#worker.terminate();
    this.#port.close();
  }

  /** Receives the messages that the thread sent before it exited. */
  #receiveAll(): void {
    for (let left = receiveMessageOnPort(this.#port); left !== undefined; left = receiveMessageOnPort(this.#port)) {
      this.#receive(left.message as FromThread);
    }
  }

  #receive(message: FromThread): void {
    if ('unusable' in message) {
      const cause = message.thrown === undefined ? undefined : unpackThrown(message.thrown);
      this.#fail(new WorkerFault(message.unusable, cause));
    } else if ('ended' in message) {
      this.#onQuiet();
    } else {
      const id = 'reply' in message ? message.reply.id : message.dropped;
      const waiter = this.#waiters.get(id);
      this.#waiters.delete(id);
      waiter?.settle('reply' in message ? message.reply : undefined);
    }
  }

  #fail(fault: WorkerFault): void {
    if (this.#fault !== undefined || this.#ending !== undefined) return;
    this.#fault = fault;
    const waiters = [...this.#waiters.values()];
    this.#waiters.clear();
    this.#onFault(fault);
    for (const waiter of waiters) waiter?.fail(fault);
  }

  #post(message: ToThread, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}
