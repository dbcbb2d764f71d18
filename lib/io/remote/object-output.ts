import { invalidArgValue, onAbort, shownUrl } from '../../base';
import type { Output } from '../target/output';
import { StoreError, type ObjectStore, type ObjectUpload } from './object-store';
import { currentPolicy, persist, type RemotePolicy } from './policy';
import { storeOf } from './stores';
import type { ObjectTask } from './task-errors';

/** A store is silent while it receives a part, so the time-out is multiplied by this number. */
const PART_PATIENCE = 4;
/** Parts double in size after each fifth of the largest number of parts: objects may be larger than their first parts suggest. */
const DOUBLINGS = 5;

/**
 * An object that is uploaded in parts, several at a time. It exists for others only after `end`, and then it is whole. An
 * earlier object of that name stays until then, and forever if the output is aborted. At most `maxParallel` + 1 parts are in
 * memory.
 */
export class ObjectOutput implements Output {
  readonly #url: string;
  readonly #task: ObjectTask;
  readonly #policy: RemotePolicy;
  readonly #store: ObjectStore;
  readonly #closing = new AbortController();
  #upload: Promise<ObjectUpload> | undefined;
  /** The part that is being filled. It is sent when more bytes follow, because the last part is sent differently. */
  #part: Buffer | undefined;
  #used = 0;
  #parts = 0;
  readonly #underWay = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  /** @throws TFRecordError ERR_MODULE_NOT_FOUND without a store; TypeError ERR_INVALID_ARG_VALUE if the store is read-only */
  constructor(url: string, store: ObjectStore = storeOf(url)) {
    const name = shownUrl(url);
    if (store.upload === undefined) {
      const expected = 'a path or an s3:, gs: or az: URL: HTTP servers are read-only';
      throw invalidArgValue('target', expected, name);
    }
    this.#url = url;
    this.#store = store;
    this.#task = { name, task: 'write' };
    this.#policy = currentPolicy();
  }

  async write(chunk: Uint8Array): Promise<void> {
    const upload = await this.#begun();
    for (let at = 0; at < chunk.length;) {
      if (this.#part !== undefined && this.#used === this.#part.length) await this.#send(upload, false);
      this.#part ??= Buffer.allocUnsafeSlow(partBytes(upload, this.#parts));
      const length = Math.min(chunk.length - at, this.#part.length - this.#used);
      this.#part.set(chunk.subarray(at, at + length), this.#used);
      this.#used += length;
      at += length;
    }
  }

  /** Resolves when all full parts have been sent. The object does not exist before `end`. */
  async flush(): Promise<void> {
    await Promise.all(this.#underWay);
    this.#check();
  }

  async end(): Promise<void> {
    const upload = await this.#begun();
    if (this.#used > 0) await this.#send(upload, true);
    await this.flush();
    await this.#persist((signal) => upload.finish(this.#parts, signal));
  }

  /** Removes the parts that the store has. */
  async abort(reason: unknown): Promise<void> {
    this.#failure ??= { error: reason };
    this.#closing.abort(reason);
    this.#part = undefined;
    const upload = await this.#upload?.catch(() => undefined);
    await Promise.allSettled(this.#underWay);
    await upload?.abort();
  }

  async #begun(): Promise<ObjectUpload> {
    this.#check();
    this.#upload ??= this.#persist((signal) => this.#store.upload!(this.#url, signal));
    return this.#upload;
  }

  /** Sends the part at hand. Resolves when the next one may be filled. */
  async #send(upload: ObjectUpload, last: boolean): Promise<void> {
    while (this.#underWay.size >= upload.maxParallel) await Promise.race(this.#underWay);
    this.#check();
    const bytes = this.#part!.subarray(0, this.#used);
    const index = this.#parts++;
    this.#part = undefined;
    this.#used = 0;
    const sending = this.#persist((signal) => upload.put(index, bytes, last, signal))
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  #persist<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const patient = { ...this.#policy, timeout: this.#policy.timeout * PART_PATIENCE };
    return persist(patient, this.#task, this.#closing.signal, call);
  }

  /** @throws the first failure */
  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

/** Returns the size of part `index`. */
function partBytes({ partBytes: smallest, maxParts }: ObjectUpload, index: number): number {
  return smallest * 2 ** Math.floor((DOUBLINGS * index) / maxParts);
}

/** Writes the object at `url`, and replaces an earlier one. @throws TFRecordError if that fails; the reason of `signal` */
export async function writeObject(
  url: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const output = new ObjectOutput(url);
  const forget = signal && onAbort(signal, () => void output.abort(signal.reason));
  try {
    if (typeof content === 'string') await output.write(Buffer.from(content));
    else if (Symbol.asyncIterator in content) for await (const chunk of content) await output.write(chunk);
    else await output.write(content);
    await output.end();
  } catch (error) {
    await output.abort(error);
    throw error;
  } finally {
    forget?.();
  }
}

/** Resolves with true if there is an object at `url`; with false if its store cannot look. @throws TFRecordError if that fails */
export async function objectExists(url: string): Promise<boolean> {
  const store = storeOf(url);
  const task = { name: shownUrl(url), task: 'write' };
  return persist(currentPolicy(), task, new AbortController().signal, async (signal) => {
    try {
      return (await store.look?.(url, signal)) !== undefined;
    } catch (error) {
      if (error instanceof StoreError && error.refusal === 'missing') return false;
      throw error;
    }
  });
}
