import { fullPath, objectScheme, shownUrl, type Bytes } from '../../base';

import { Identity } from '../files/identity';
import { isRanged, type ByteSource, type ChunkPull, type RangedSource } from '../source/byte-source';
import { MemorySource } from '../source/memory-source';
import { pullRanges } from '../source/ranges';
import type { RecordSource } from '../source/record-source';
import { StreamSource } from '../source/stream-source';
import type { ObjectStore } from './object-store';
import { ObjectReader, type RangeChunks } from './object-reader';
import { currentPolicy, FIRST_BYTES, KEPT_BYTES } from './policy';
import { RangeCache } from './range-cache';
import { storeOf } from './stores';

/** An object of a store, by its URL. Nothing is requested before `known`. */
export class RemoteSource implements ByteSource {
  readonly name: string;
  readonly repeatable = true;
  readonly url: string;
  readonly #store: ObjectStore | undefined;
  /** A source that `identity` opened, for the next `known`. */
  #kept: Promise<ByteSource> | undefined;
  #opening: RangeChunks | undefined;

  /** `store`: default, the store for the scheme of `url` at the time of opening. */
  constructor(url: string, store?: ObjectStore) {
    this.name = shownUrl(url);
    this.url = url;
    this.#store = store;
  }

  /**
   * Requests the first bytes. The answer also shows the size, the tag, and whether the server supports ranges. If it does not, a
   * small object is kept in memory, and a large one is read in order. @throws TFRecordError
   */
  known(): Promise<ByteSource> {
    const kept = this.#kept;
    this.#kept = undefined;
    return kept ?? this.#open();
  }

  /** Undefined for a large object of a server without ranges. @throws TFRecordError */
  async identity(): Promise<Identity | undefined> {
    const opening = this.known();
    const known = await opening;
    if (isRanged(known)) this.#kept = opening;
    else await known.pull(0).close();
    return known.identity();
  }

  /** Ends an opening that is under way: it rejects with an AbortError. */
  cancel(): void {
    this.#opening?.close();
  }

  async #open(): Promise<ByteSource> {
    const reader = new ObjectReader(this.#store ?? storeOf(this.url), this.url, currentPolicy());
    let isWhole = false;
    const chunks = reader.range(0, FIRST_BYTES, ({ whole }) => {
      isWhole = whole === true;
      return true;
    });
    this.#opening = chunks;
    try {
      const head = await chunks.next();
      if (!isWhole) return new ObjectSource(reader, await rest(head, chunks));
      if ((reader.facts?.size ?? Infinity) > KEPT_BYTES) return this.#inOrder(head, chunks);
      return new WholeObject(reader, await rest(head, chunks));
    } finally {
      this.#opening = undefined;
    }
  }

  pull(from: number): ChunkPull {
    let known: Promise<ChunkPull> | undefined;
    return {
      next: async () => (await (known ??= this.known().then((source) => source.pull(from)))).next(),
      close: async () => (await known?.catch(() => undefined))?.close(),
    };
  }

  /** Returns a source that continues an answer that has begun. Reading it again makes another request. */
  #inOrder(head: Uint8Array | undefined, chunks: RangeChunks): ByteSource {
    let first: ChunkPull | undefined = pullChunks(head, chunks);
    const open = (): ChunkPull => {
      const begun = first ?? this.pull(0);
      first = undefined;
      return begun;
    };
    return new StreamSource(open, this.name, true);
  }
}

/** Returns the object at `url` of `store` as a source for readers. */
export function objectSource(url: string, store: ObjectStore): RecordSource;
export function objectSource(url: string, store: ObjectStore): unknown {
  return new RemoteSource(url, store);
}

function pullChunks(head: Uint8Array | undefined, chunks: RangeChunks): ChunkPull {
  let before = head;
  return {
    next() {
      const chunk = before;
      before = undefined;
      return chunk === undefined ? chunks.next() : Promise.resolve(chunk);
    },
    close() {
      chunks.close();
      return Promise.resolve();
    },
  };
}

/** Reads all other chunks, and returns all bytes. */
async function rest(head: Uint8Array | undefined, chunks: RangeChunks): Promise<Bytes> {
  const parts: Uint8Array[] = [];
  for (let chunk = head; chunk !== undefined; chunk = await chunks.next()) parts.push(chunk);
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** An object of a server without ranges, in memory. */
class WholeObject extends MemorySource {
  readonly #reader: ObjectReader;

  constructor(reader: ObjectReader, bytes: Uint8Array) {
    super(bytes, reader.name);
    this.#reader = reader;
  }

  override identity(): Promise<Identity | undefined> {
    return Promise.resolve(identityOf(this.#reader));
  }
}

/** An object of which any range can be read. */
class ObjectSource implements RangedSource, ByteSource {
  readonly name: string;
  readonly size: number | undefined;
  readonly repeatable = true;
  readonly #reader: ObjectReader;
  readonly #cache: RangeCache;

  /** `head`: its first bytes. */
  constructor(reader: ObjectReader, head: Bytes) {
    this.name = reader.name;
    this.size = reader.facts?.size;
    this.#reader = reader;
    this.#cache = new RangeCache(reader, head);
  }

  identity(): Promise<Identity | undefined> {
    return Promise.resolve(identityOf(this.#reader));
  }

  read(at: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#cache.read(at, length, signal);
  }

  lend<T>(at: number, length: number, use: (bytes: Uint8Array) => T, signal?: AbortSignal): Promise<T> {
    return this.#cache.lend(at, length, use, signal);
  }

  pull(from: number): ChunkPull {
    return pullRanges(this, from);
  }
}

/**
 * Looks at the input `file`: an object by its URL, or a file by its path, relative to `folder`. Undefined for an object of
 * unknown size. @throws TFRecordError if that fails
 */
export function lookAtInput(file: string, folder: string | undefined): Promise<Identity | undefined> {
  return objectScheme(file) === undefined
    ? Identity.of(file, fullPath(file, folder))
    : new RemoteSource(file).identity();
}

/** Returns the identity of an object; undefined if its size is unknown. */
function identityOf({ url, name, facts }: ObjectReader): Identity | undefined {
  return facts?.size === undefined ? undefined : Identity.ofObject(name, url, { ...facts, size: facts.size });
}
