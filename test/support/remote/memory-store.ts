/** A store of objects in memory, for URLs of one scheme. */
import { StoreError, type ObjectFacts, type ObjectStore, type ObjectUpload } from '../../../lib/io';
import { setStore } from '../../../lib/io';

const PART_BYTES = 64;

export class MemoryStore implements ObjectStore {
  readonly objects = new Map<string, Buffer>();
  /** Uploads that were given up. */
  aborted = 0;
  /** Returns true for objects whose parts are to stay under way, until their call is aborted. */
  holds: (url: string) => boolean = () => false;
  readonly #scheme: string;
  readonly #before: ObjectStore | undefined;

  /** Becomes the store of `scheme` until `remove`. */
  constructor(scheme: string) {
    this.#scheme = scheme;
    this.#before = setStore(scheme, this);
  }

  remove(): void {
    if (this.#before !== undefined) setStore(this.#scheme, this.#before);
  }

  /** The URLs of all objects, in byte order. */
  names(): string[] {
    return [...this.objects.keys()].sort();
  }

  look(url: string): Promise<ObjectFacts> {
    return Promise.resolve().then(() => ({ size: this.#bytes(url).length }));
  }

  read(url: string, { start, end }: { start: number; end: number }): ReturnType<ObjectStore['read']> {
    return Promise.resolve().then(() => {
      const bytes = this.#bytes(url);
      if (start >= bytes.length) throw new StoreError('beyond', 'HTTP 416', { size: bytes.length });
      const chunks = (async function* () {
        yield await Promise.resolve(new Uint8Array(bytes.subarray(start, end)));
      })();
      return { start, size: bytes.length, chunks };
    });
  }

  async *list(prefix: string): ReturnType<NonNullable<ObjectStore['list']>> {
    yield await Promise.resolve(
      this.names()
        .filter((url) => url.startsWith(prefix))
        .map((url) => ({ url })),
    );
  }

  upload(url: string): Promise<ObjectUpload> {
    const parts: Buffer[] = [];
    return Promise.resolve({
      partBytes: PART_BYTES,
      maxParts: 10_000,
      maxParallel: 2,
      put: (index, bytes, _last, signal) => {
        parts[index] = Buffer.from(bytes);
        return new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          if (!this.holds(url)) resolve();
        });
      },
      finish: () => {
        this.objects.set(url, Buffer.concat(parts));
        return Promise.resolve({});
      },
      abort: async () => {
        await new Promise(setImmediate);
        this.aborted++;
      },
    });
  }

  #bytes(url: string): Buffer {
    const bytes = this.objects.get(url);
    if (bytes === undefined) throw new StoreError('missing', 'HTTP 404', { status: 404 });
    return bytes;
  }
}
