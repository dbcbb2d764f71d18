import { viewOf } from '../../base';
import { givenLength, unchanged } from '../memory/bytes';
import type { Identity } from '../files/identity';
import type { ByteSource, ChunkPull } from './byte-source';

/** Bytes in memory. Each use checks that they are all there: their memory can be transferred meanwhile. */
export class MemorySource implements ByteSource {
  readonly name: string;
  readonly size: number;
  readonly repeatable = true;
  readonly bytes: Uint8Array;

  /** @throws TypeError ERR_INVALID_ARG_VALUE if the memory of `bytes`, the argument `source`, is detached */
  constructor(bytes: Uint8Array, name = '<bytes>') {
    this.name = name;
    this.size = givenLength('source', bytes);
    this.bytes = bytes;
  }

  identity(): Promise<Identity | undefined> {
    return Promise.resolve(undefined);
  }

  // Async, so that an error becomes a rejection.
  async read(at: number, length: number): Promise<Uint8Array> {
    return this.#view(at, at + length);
  }

  /** Pulls the bytes as one chunk. */
  pull(from: number): ChunkPull {
    let over = false;
    return {
      next: async () => {
        if (over) return undefined;
        over = true;
        return from === 0 ? unchanged(this.bytes, this.size, this.name) : this.#view(from, this.size);
      },
      close() {
        over = true;
        return Promise.resolve();
      },
    };
  }

  #view(begin: number, end: number): Uint8Array {
    const bytes = unchanged(this.bytes, this.size, this.name);
    return begin >= this.size ? new Uint8Array(0) : viewOf(bytes, begin, Math.min(end, this.size));
  }
}
