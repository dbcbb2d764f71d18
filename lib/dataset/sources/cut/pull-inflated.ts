import { createGunzip, createInflate, type Gunzip, type Inflate } from 'node:zlib';

import { TFRecordError } from '../../../errors';
import type { ChunkPull } from '../../../record';
import { startsStream } from './content-kind';

/** Bytes that are inflated at a time: they may become a thousand times as many. */
const PIECE_BYTES = 16 * 1024;
const OUTPUT_BYTES = 64 * 1024;
/** What zlib says of bytes at the start of a stream that are none. */
const NO_STREAM = /incorrect header check|unknown compression method|unknown header flags|invalid window size/;

/** In bytes. */
const SHORTEST_STREAM = { gzip: 18, zlib: 8 };

/** What a step of zlib ended with: it wants more, its stream is over, or it failed. */
type Outcome = 'more' | 'over' | { readonly error: Error };

/** Something compressed. */
export interface Compressed {
  readonly file: string;
  readonly kind: 'gzip' | 'zlib';
  readonly input: ChunkPull;
  /** The same from the start, where it can be read again. */
  readonly again?: (() => ChunkPull) | undefined;
}

/**
 * The inflated bytes of gzip members, or zlib streams, one behind the other up to the end. Node keeps back what it inflated
 * of a piece when that piece turns out to be damaged, so the input is read again then, and that piece byte by byte.
 */
export class PullInflated implements ChunkPull {
  readonly #file: string;
  readonly #input: ChunkPull;
  readonly #kind: 'gzip' | 'zlib';
  readonly #again: (() => ChunkPull) | undefined;
  /** From this byte of the input on, pieces are one byte. */
  readonly #carefulFrom: number;
  #fed = 0;
  #given = 0;
  /** What reads the input again. */
  #second: PullInflated | undefined;
  #failure: { readonly error: unknown } | undefined;
  #engine: Gunzip | Inflate | undefined;
  #settle: ((outcome: Outcome) => void) | undefined;
  #piece: Uint8Array = new Uint8Array(0);
  #outputs: Uint8Array[] = [];
  /** Bytes of streams that are over. */
  #before = 0;
  #ended = false;

  constructor({ file, kind, input, again }: Compressed, carefulFrom = Infinity) {
    this.#file = file;
    this.#input = input;
    this.#kind = kind;
    this.#again = again;
    this.#carefulFrom = carefulFrom;
  }

  async next(): Promise<Uint8Array | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error;
    try {
      const bytes = await this.#next();
      this.#given += bytes?.length ?? 0;
      return bytes;
    } catch (error) {
      this.#failure = { error };
      const rest = this.#again === undefined ? undefined : await this.#keptBack(this.#again());
      if (rest === undefined || rest.length === 0) throw this.#failure.error;
      return rest;
    }
  }

  /** What was inflated before the damage and has not been given. */
  async #keptBack(input: ChunkPull): Promise<Uint8Array> {
    const second = new PullInflated({ file: this.#file, kind: this.#kind, input }, this.#fed);
    this.#second = second;
    const rest: Uint8Array[] = [];
    let seen = 0;
    try {
      for (let bytes = await second.next(); bytes !== undefined; bytes = await second.next()) {
        const known = Math.min(bytes.length, Math.max(0, this.#given - seen));
        seen += bytes.length;
        if (known < bytes.length) rest.push(bytes.subarray(known));
      }
    } catch (error) {
      // The same once more, but it knows the place to the byte.
      this.#failure = { error };
    } finally {
      await second.close();
    }
    return Buffer.concat(rest);
  }

  async #next(): Promise<Uint8Array | undefined> {
    while (!this.#ended) {
      if (this.#piece.length === 0) {
        const chunk = await this.#input.next();
        if (chunk === undefined) {
          await this.#finish();
          break;
        }
        this.#piece = chunk;
        continue;
      }
      const toCareful = this.#carefulFrom - this.#fed;
      const piece = this.#piece.subarray(0, toCareful > 0 ? Math.min(PIECE_BYTES, toCareful) : 1);
      this.#piece = this.#piece.subarray(piece.length);
      await this.#inflate(piece);
      this.#fed += piece.length;
      if (this.#outputs.length > 0) return this.#taken();
    }
    return this.#outputs.length > 0 ? this.#taken() : undefined;
  }

  async close(): Promise<void> {
    this.#ended = true;
    this.#engine?.destroy();
    this.#settle?.('over');
    await this.#second?.close();
    await this.#input.close();
  }

  async #inflate(piece: Uint8Array): Promise<void> {
    if (this.#engine === undefined && this.#before > 0 && !startsStream(piece, this.#kind)) throw this.#trailing();
    const engine = (this.#engine ??= this.#begin());
    const used = engine.bytesWritten;
    const outcome = await this.#step(() =>
      engine.write(piece, (error) => this.#settle?.(error instanceof Error ? { error } : 'more')),
    );
    if (this.#ended) return;
    if (typeof outcome === 'object') throw this.#damage(outcome.error);
    if (outcome === 'more') return;
    this.#before += engine.bytesWritten;
    this.#engine = undefined;
    // What is behind the stream begins the next.
    const rest = piece.subarray(engine.bytesWritten - used);
    if (rest.length > 0) await this.#inflate(rest);
  }

  async #finish(): Promise<void> {
    this.#ended = true;
    const engine = this.#engine;
    if (engine === undefined) return;
    const outcome = await this.#step(() => engine.end());
    if (typeof outcome === 'object') throw this.#damage(outcome.error);
  }

  #step(run: () => unknown): Promise<Outcome> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      run();
    });
  }

  #begin(): Gunzip | Inflate {
    const options = { chunkSize: OUTPUT_BYTES };
    const engine = this.#kind === 'gzip' ? createGunzip(options) : createInflate(options);
    engine.on('data', (bytes: Uint8Array) => this.#outputs.push(bytes));
    engine.on('end', () => this.#settle?.('over'));
    engine.on('error', (error) => this.#settle?.({ error }));
    return engine;
  }

  #taken(): Uint8Array {
    const outputs = this.#outputs;
    this.#outputs = [];
    return outputs.length === 1 ? outputs[0]! : Buffer.concat(outputs);
  }

  get #consumed(): number {
    return this.#before + (this.#engine?.bytesWritten ?? 0);
  }

  #damage(cause: Error): TFRecordError {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') {
      return this.#error('TFR_TRUNCATED', `Truncated ${this.#kind} stream`, 'The file is incomplete.', cause);
    }
    if (this.#consumed >= SHORTEST_STREAM[this.#kind] && NO_STREAM.test(cause.message)) return this.#trailing(cause);
    const what = `Damaged ${this.#kind} data (${cause.message})`;
    return this.#error('TFR_COMPRESSION', what, 'Restore the file.', cause);
  }

  #trailing(cause?: Error): TFRecordError {
    const what = `Trailing data after the last ${this.#kind} stream`;
    return this.#error('TFR_TRAILING_DATA', what, 'Cut it off.', cause);
  }

  #error(code: string, what: string, advice: string, cause: Error | undefined): TFRecordError {
    const compressedOffset = this.#consumed;
    const message =
      `${what} in ${this.#file}, at compressed byte ${compressedOffset}. ${advice} ` +
      'onError: "stop" accepts what lies before it.';
    return new TFRecordError(code, message, { file: this.#file, compressedOffset, cause });
  }
}
