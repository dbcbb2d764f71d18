import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';

import type { ChunkMessage, ChunkReply, FromThread, ThreadData, ToThread } from './messages';
import { unpackThrown } from './packed-thrown';
import { threadEntry } from './thread-entry';
import { WorkerFault } from './worker-errors';

/** A call that is under way has so long to heed its signal, in milliseconds, before its thread is ended under it. */
const GRACE_MS = 50;

/** Takes the reply for a chunk; undefined if there is none: it was dropped, or the worker was ended. */
export interface Waiter {
  readonly settle: (reply: ChunkReply | undefined) => void;
  readonly fail: (fault: WorkerFault) => void;
}

/** A worker thread, as the main thread sees it. */
export class WorkerThread {
  readonly #worker: Worker;
  /** To the thread, and from it: its `parentPort` belongs to the module. */
  readonly #port: MessagePort;
  /** The waiters of the chunks that it has, including dropped ones. */
  readonly #waiters = new Map<number, Waiter | undefined>();
  readonly #onFault: (fault: WorkerFault) => void;
  #fault: WorkerFault | undefined;
  #ending: Promise<void> | undefined;
  /** Called when it has ended, or has no call under way at its end. */
  #onQuiet = (): void => undefined;

  /** `onFault`: called once, unless the thread was ended before. @throws the errors of `new Worker` */
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

  /** Chunks that it has. */
  get chunks(): number {
    return this.#waiters.size;
  }

  /** Sets whether the thread keeps the process alive. A thread that is being ended does so until it is gone. */
  hold(held: boolean): void {
    if (this.#ending !== undefined) return;
    if (held) this.#worker.ref();
    else this.#worker.unref();
  }

  /** @throws DataCloneError where an element cannot be sent */
  send(chunk: ChunkMessage, transfer: readonly ArrayBuffer[], waiter: Waiter): void {
    this.#post({ chunk }, transfer);
    this.#waiters.set(chunk.id, waiter);
  }

  /** Nobody waits for these chunks any more. */
  drop(ids: readonly number[]): void {
    const own = ids.filter((id) => this.#waiters.has(id));
    if (own.length === 0) return;
    for (const id of own) this.#waiters.set(id, undefined);
    this.#post({ drop: own });
  }

  /**
   * Asks the thread to end, waits a little for calls under way, and ends it. Resolves when the thread is gone.
   * Idempotent.
   */
  end(): Promise<void> {
    return (this.#ending ??= this.#end());
  }

  async #end(): Promise<void> {
    const waiters = [...this.#waiters.values()];
    const busy = waiters.length > 0 && this.#fault === undefined;
    this.#waiters.clear();
    for (const waiter of waiters) waiter?.settle(undefined);
    // Whoever waits for this may have nothing else that keeps the process alive.
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

  /** Receives the messages that it sent before it was gone. */
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
