import { STREAM, type ByteSource, type ChunkPull } from './byte-source';
import { pullRanges } from './ranges';

/** A Blob, of any realm. */
export class BlobSource implements ByteSource {
  readonly name = STREAM;
  readonly size: number;
  readonly repeatable = true;
  readonly #blob: Blob;

  constructor(blob: Blob) {
    this.size = blob.size;
    this.#blob = blob;
  }

  identity(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  read(at: number, length: number): Promise<ArrayBuffer> {
    return this.#blob.slice(at, at + length).arrayBuffer();
  }

  pull(from: number): ChunkPull {
    return pullRanges(this, from);
  }
}
