import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** A large object behind a slow link, on a thread of its own: see link-thread.cjs. */
export class SlowLink {
  readonly url: string;
  readonly #worker: Worker;

  /** The object is `block`, `repeats` times. */
  static async start(object: {
    readonly block: Uint8Array;
    readonly repeats: number;
    readonly latencyMs: number;
    readonly bytesPerSecond: number;
  }): Promise<SlowLink> {
    const worker = new Worker(join(__dirname, 'link-thread.cjs'), { workerData: object });
    const [{ port }] = (await once(worker, 'message')) as [{ port: number }];
    return new SlowLink(worker, `http://127.0.0.1:${port}/object`);
  }

  private constructor(worker: Worker, url: string) {
    this.#worker = worker;
    this.url = url;
  }

  /** Resolves with the requests and the bytes of bodies since the last call. */
  async counts(): Promise<{ readonly requests: number; readonly bytes: number }> {
    this.#worker.postMessage('counts');
    const [counts] = (await once(this.#worker, 'message')) as [{ requests: number; bytes: number }];
    return counts;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
