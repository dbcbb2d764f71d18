/**
 * The work of an instance, which has no threads: its tasks run on this thread, one at a time, and the event loop turns
 * between them.
 */
import type { WasmExports } from './exports';

/** Longest time that tasks run without a turn of the event loop, in milliseconds. */
const TURN_MS = 8;

interface Job {
  /** Reads the result at a place in memory. Called once. */
  readonly read: (result: number) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** Objects that must not be collected before the end of the job. */
  readonly kept: unknown;
}

export class Jobs {
  readonly #exports: WasmExports;
  readonly #open = new Map<number, Job>();
  #settled: number[] = [];
  #scheduled = false;
  #turnedAt = 0;

  /** `exports`: those of the instance. */
  constructor(exports: WasmExports) {
    this.#exports = exports;
  }

  /** Returns the promise of a job that an export began. */
  begin<T>(job: number, kept: unknown, read: (result: number) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#open.set(job, { read, resolve: resolve as (value: unknown) => void, reject, kept });
      this.schedule();
    });
  }

  /** Called by the module when a job is done. */
  settle(job: number): void {
    this.#settled.push(job);
  }

  /** Ends the wait of a sink. */
  ready(waiter: number): void {
    this.#orEnd(() => this.#exports.tfr_ready(waiter));
    this.schedule();
  }

  /** Makes sure that waiting tasks get a turn. */
  schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    if (performance.now() - this.#turnedAt < TURN_MS) { queueMicrotask(() => this.#turn()); return; }
    nextTurn(() => {
      this.#turnedAt = performance.now();
      this.#turn();
    });
  }

  #turn(): void {
    this.#scheduled = false;
    this.#orEnd(() => {
      const more = this.#exports.tfr_run() !== 0;
      for (const job of this.#settled.splice(0)) this.#finish(job);
      if (more) this.schedule();
    });
  }

  #finish(number: number): void {
    const job = this.#open.get(number)!;
    this.#open.delete(number);
    const { tfr_job_result, tfr_job_free } = this.#exports;
    try {
      job.resolve(job.read(tfr_job_result(number)));
    } catch (error) {
      job.reject(error);
    }
    tfr_job_free(number);
  }

  /** Rejects all jobs if the instance ends in `work`. */
  #orEnd(work: () => void): void {
    try {
      work();
    } catch (error) {
      for (const { reject } of this.#open.values()) reject(error);
      this.#open.clear();
    }
  }
}

/** Calls `work` after a turn of the event loop. */
function nextTurn(work: () => void): void {
  if (typeof setImmediate === 'function') return void setImmediate(work);
  // Timers of pages wait for 4 ms or more.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    work();
  };
  port2.postMessage(undefined);
}
