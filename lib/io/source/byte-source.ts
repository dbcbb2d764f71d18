import type { ChunkPull } from './pull-bytes';

/** Tells whether a source still has the bytes that it had. */
export interface Identity {
  /** @throws TFRecordError TFR_STATE_MISMATCH if the source was changed or replaced */
  check(): Promise<void>;
}

/** Bytes with a name. `read` is there if any range can be read; `pull` gives them in order. */
export interface ByteSource {
  /** The name in errors. */
  readonly name: string;
  /** Number of bytes, if it is known. */
  readonly size?: number | undefined;
  /** Resolves with undefined if the source cannot tell. */
  identity(): Promise<Identity | undefined>;
  /**
   * Reads up to `length` bytes, more than 0, from byte `at` on: fewer if that suits the source, but none only at its end.
   * Several reads may be under way. Rejects with the source's own error, also soon after `signal` aborts.
   */
  read?(at: number, length: number, signal?: AbortSignal): Promise<Uint8Array | ArrayBuffer>;
  /** Pulls the bytes from byte `from` on. */
  pull(from: number): ChunkPull;
}

/** A source of which any range can be read. */
export type RangedSource = Pick<ByteSource, 'name' | 'size'> & Required<Pick<ByteSource, 'read'>>;

export function isByteSource(source: object): source is ByteSource {
  const { name, identity, pull } = source as Partial<Record<keyof ByteSource, unknown>>;
  return typeof name === 'string' && typeof identity === 'function' && typeof pull === 'function';
}

export function isRanged(source: ByteSource): source is ByteSource & RangedSource {
  return source.read !== undefined;
}
