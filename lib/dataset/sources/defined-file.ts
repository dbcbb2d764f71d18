import { types } from 'node:util';

import { TFRecordError, type Origin } from '../../base';
import { closingFile } from '../../io';
import type { Json } from '../engine/operator';
import { isThenable } from '../engine/element-context';

/** An element that a `SourceReader` returns, and its position in the file. */
export interface SourceRecord<T> {
  /** The element. */
  readonly value: T;
  /** Offset of its first byte in the file. Default 0. */
  readonly offset?: number | undefined;
  /** Number of its bytes in the file. Default: the length of a `Uint8Array`, else 0. */
  readonly bytes?: number | undefined;
}

/**
 * Reads files of your own format, for `Dataset.define`. All functions may return promises; calls for one file never
 * overlap. An error that a function throws is the `cause` of a TFR_USER, which names the file; `onError` of the dataset
 * decides what happens then.
 *
 * @typeParam H the value that `open` returns for an open file
 */
export interface SourceReader<T, H, S extends Json = Json> {
  /** Opens a file at its start. `signal` is aborted when the iterator is closed. */
  open(file: string, context: { readonly signal: AbortSignal }): H | Promise<H>;
  /**
   * Returns the next record; undefined at the end. A `read` that throws must leave the position unchanged, or after the
   * bytes that it failed for. If `onError` skips the error, `read` is called again if `state` shows that the position
   * has changed; else the rest of the file is skipped, because the same error would repeat for ever.
   */
  read(file: H): SourceRecord<T> | undefined | Promise<SourceRecord<T> | undefined>;
  /** Closes the file: at its end, after an error, and when the iterator is closed. */
  close?(file: H): unknown;
  /** Returns the position of the next `read`, as plain JSON. Called between other calls. */
  state?(file: H): S;
  /**
   * Moves to the position that `state` returned. Without `state` and `seek`, resuming reads the file again from its
   * start.
   */
  seek?(file: H, state: S): unknown;
}

/** A record, and its position in the file. */
interface DefinedRecord {
  readonly value: unknown;
  readonly origin: Origin;
}

/** One file that a reader of the user reads. Calls do not overlap: each begins after the one before has ended. */
export class DefinedFile {
  readonly path: string;
  /** Number of records that were read or skipped. */
  record = 0;
  /** After an error of `read`: true if the reader's position has changed. */
  moved = false;
  readonly #reader: SourceReader<unknown, unknown>;
  readonly #stage: string;
  #handle: { readonly file: unknown } | undefined;
  /** The pending call. */
  #calling: Promise<unknown> | undefined;
  #closed: Promise<void> | undefined;

  constructor(path: string, reader: SourceReader<unknown, unknown>, stage: string) {
    this.path = path;
    this.#reader = reader;
    this.#stage = stage;
  }

  /** @param at the path of the file relative to the current working directory */
  async open(at: string, signal: AbortSignal): Promise<void> {
    await this.#call('open', async () => {
      this.#handle = { file: await this.#reader.open(at, { signal }) };
    });
  }

  /** Moves to record number `record`, whose position is `state`; false if the reader cannot seek. */
  async seek(record: number, state: Json): Promise<boolean> {
    const reader = this.#reader;
    if (state === null || reader.seek === undefined) return false;
    await this.#call('seek', async () => reader.seek?.(this.#handle?.file, state));
    this.record = record;
    return true;
  }

  /** Returns the state of the reader; null without `state`. */
  state(): Json {
    if (this.#reader.seek === undefined) return null;
    try {
      const state = this.#reader.state?.(this.#handle?.file) ?? null;
      // A copy, because the reader may change its object.
      return state === null ? null : (JSON.parse(JSON.stringify(state)) as Json);
    } catch (cause) {
      throw this.#error('state', cause);
    }
  }

  /** Reads the next record; undefined at the end. */
  read(): DefinedRecord | undefined | Promise<DefinedRecord | undefined> {
    this.moved = false;
    const before = JSON.stringify(this.state());
    const failed = (cause: unknown): TFRecordError => {
      this.moved = this.#isElsewhere(before);
      return this.#error('read', cause);
    };
    let found;
    try {
      found = this.#reader.read(this.#handle?.file);
      if (!isThenable(found)) return this.#recordOf(found);
    } catch (cause) {
      throw failed(cause);
    }
    const waiting = found;
    return this.#called(
      Promise.resolve(waiting).then(
        (record) => this.#recordOf(record),
        (cause: unknown) => {
          throw failed(cause);
        },
      ),
    );
  }

  /** Counts the record that `read` failed for, which is skipped. */
  skip(): void {
    this.record++;
  }

  /** Closes the file, after a pending call; but does not wait for that call, which may never settle. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    const calling = this.#calling;
    if (calling === undefined) return this.#giveBack();
    const late = (): Promise<void> => this.#giveBack();
    calling.then(late, late).catch(() => undefined);
  }

  async #giveBack(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    if (handle === undefined) return;
    try {
      await closingFile(Promise.resolve(this.#reader.close?.(handle.file)));
    } catch (cause) {
      throw this.#error('close', cause);
    }
  }

  #isElsewhere(before: string): boolean {
    try {
      const now = JSON.stringify(this.state());
      return now !== 'null' && now !== before;
    } catch {
      return false;
    }
  }

  #recordOf(found: SourceRecord<unknown> | undefined): DefinedRecord | undefined {
    if (found === undefined) return undefined;
    if (typeof found !== 'object' || found === null || !('value' in found)) {
      throw new TypeError('read() must return { value } or undefined');
    }
    const { value, offset = 0, bytes = types.isUint8Array(value) ? value.length : 0 } = found;
    return { value, origin: { file: this.path, record: this.record++, offset, bytes } };
  }

  async #call(name: string, run: () => Promise<unknown>): Promise<void> {
    try {
      await this.#called(run());
    } catch (cause) {
      throw this.#error(name, cause);
    }
  }

  async #called<T>(call: Promise<T>): Promise<T> {
    this.#calling = call;
    try {
      return await call;
    } finally {
      this.#calling = undefined;
    }
  }

  #error(name: string, cause: unknown): TFRecordError {
    const what = cause instanceof Error ? cause.message : String(cause);
    const { path: file, record } = this;
    return new TFRecordError(
      'TFR_USER',
      `The ${name}() given to ${this.#stage} failed for ${file}${name === 'read' ? `, record ${record}` : ''}: ${what}`,
      { stage: this.#stage, file, record, cause },
    );
  }
}
