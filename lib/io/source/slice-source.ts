import { checkInteger, counted, invalidArgValue, tfrecordError, aside, worded, lengthOf } from '../../base';
import { STREAM, type ByteSource, type ChunkPull } from './byte-source';
import { copyOf } from '../memory/bytes';
import { checkChunk, isChunk, type Chunk } from './chunks';
import { pullRanges } from './ranges';

/** Bytes of which any range can be read by a function of the caller. */
export interface Sliceable {
  readonly byteLength: number;
  slice(start: number, end: number): Chunk | Promise<Chunk>;
}

/** True if `source` has the shape of a {@link Sliceable}. Array buffers and typed arrays have it, too: exclude them first. */
export function isSliceable(source: object): source is Sliceable {
  if (!('byteLength' in source) || !('slice' in source)) return false;
  try {
    return typeof source.slice === 'function' && typeof source.byteLength === 'number';
  } catch {
    return false; // A Proxy of a typed array has the getter of its target, and refuses to be its receiver.
  }
}

/** The last call of each `slice`. */
const calls = new WeakMap<Sliceable, Promise<unknown>>();

/**
 * The bytes of a {@link Sliceable}. Each answer must have all the bytes of its range. It is used, or copied, as soon as it
 * is there, before anything else runs, so `slice` may use one buffer for all answers.
 */
export class SliceSource implements ByteSource {
  readonly name = STREAM;
  readonly size: number;
  readonly repeatable = true;
  readonly #source: Sliceable;

  /** @throws RangeError ERR_OUT_OF_RANGE if `byteLength` is not a whole number that JavaScript can count */
  constructor(source: Sliceable) {
    this.size = checkInteger('source.byteLength', source.byteLength, 0, Number.MAX_SAFE_INTEGER, 0);
    this.#source = source;
  }

  identity(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Rejects as {@link lend} does. */
  read(at: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    return this.lend(at, length, (bytes) => copyOf(bytes, this.name), signal);
  }

  /** @throws TypeError with Node's codes for a wrong answer; TFRecordError TFR_CLOSED if `byteLength` has changed */
  async lend<T>(at: number, length: number, use: (bytes: Uint8Array) => T, signal?: AbortSignal): Promise<T> {
    this.#checkSize();
    const end = Math.min(at + length, this.size);
    if (at >= end) return use(new Uint8Array(0));
    // In a later turn of promises than the call before: an answer that was there at once has been used by then.
    const call = (calls.get(this.#source) ?? Promise.resolve()).then(() => {
      signal?.throwIfAborted();
      return { answer: this.#slice(at, end, use) };
    });
    calls.set(
      this.#source,
      call.catch(() => undefined),
    );
    return (await call).answer;
  }

  async #slice<T>(at: number, end: number, use: (bytes: Uint8Array) => T): Promise<T> {
    const name = `source.slice(${at}, ${end})`;
    const given = this.#source.slice(at, end);
    // Nothing is awaited between the answer and its use.
    const bytes = checkChunk(isChunk(given) ? given : await given, name);
    this.#checkSize();
    const found = lengthOf(bytes);
    if (found !== end - at) throw invalidArgValue(name, counted(end - at, 'byte'), counted(found, 'byte'));
    return use(bytes);
  }

  pull(from: number): ChunkPull {
    return pullRanges(this, from);
  }

  #checkSize(): void {
    const { byteLength } = this.#source;
    if (byteLength === this.size) return;
    throw tfrecordError(
      'TFR_CLOSED',
      worded`The source changed while it was read (${this.name}): its byteLength was ${this.size} and is ${byteLength}.${aside` Leave it alone until the end, or read it again from its start.`}`,
      { file: this.name },
    );
  }
}
