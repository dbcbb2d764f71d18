import type { Identity } from '../files/identity';
import type { Chunk } from './chunks';

/** The name of bytes that have no other name, in errors. */
export const STREAM = '<stream>';

/** Pulls the chunks of one stream, of any size and in order. Only one `next()` may be pending. */
export interface ChunkPull {
  /** Returns the next chunk, which may be empty; undefined at the end. Rejects with the source's own error. */
  next(): Promise<Uint8Array | undefined>;
  /** Releases the source. A pending `next()` may stay pending. Idempotent. */
  close(): Promise<void>;
}

/** Bytes with a name. `read` is there if any range can be read; `pull` gives them in order. */
export interface ByteSource {
  /** The name in errors. */
  readonly name: string;
  /** Number of bytes, if it is known. */
  readonly size?: number | undefined;
  /** True if `pull` can be called again, from the first byte. */
  readonly repeatable: boolean;
  /**
   * Resolves with the same source, whose capabilities are known then: those of an open file depend on its kind. Default:
   * they are known.
   */
  known?(): Promise<ByteSource>;
  /** Resolves with what tells the file from another one; undefined if there is no file. @throws TFRecordError */
  identity(): Promise<Identity | undefined>;
  /**
   * Reads up to `length` bytes, more than 0, from byte `at` on: fewer if that suits the source, but none only at its end.
   * Several reads may be under way. Rejects with the source's own error, also soon after `signal` aborts.
   */
  read?(at: number, length: number, signal?: AbortSignal): Promise<Chunk>;
  /**
   * Reads as `read` does, but calls `use` with bytes that others may change right after the call, and resolves with its
   * result. For a source whose `read` has to copy them.
   */
  lend?<T>(at: number, length: number, use: (chunk: Chunk) => T, signal?: AbortSignal): Promise<T>;
  /**
   * Pulls the bytes from byte `from` on, which is 0 for a source without `read`.
   * @throws TypeError ERR_INVALID_ARG_VALUE if the source is used up or in use
   */
  pull(from: number): ChunkPull;
}

/** A source of which any range can be read. */
export type RangedSource = Pick<ByteSource, 'name' | 'size' | 'lend'> & Required<Pick<ByteSource, 'read'>>;

/** True for an object that has what each {@link ByteSource} has. */
export function isByteSource(source: object): source is ByteSource {
  const { name, identity, pull }: Partial<Record<keyof ByteSource, unknown>> = source;
  return typeof name === 'string' && typeof identity === 'function' && typeof pull === 'function';
}

/** True if any range of `source` can be read. */
export function isRanged(source: ByteSource): source is ByteSource & RangedSource {
  return source.read !== undefined;
}
