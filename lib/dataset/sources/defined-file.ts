import { types } from 'node:util';

import { TFRecordError, type Origin } from '../../base';
import { closingFile } from '../../io';
import type { Json } from '../engine/operator';
import { isThenable } from '../engine/element-context';

/** An element that a reader returns, and its place in the file. */
export interface SourceRecord<T> {
  /** The element. */
  readonly value: T;
  /** Its first byte in the file. Default 0. */
  readonly offset?: number | undefined;
  /** Its bytes there. Default: those of a `Uint8Array`, else 0. */
  readonly bytes?: number | undefined;
}

/**
 * Reads files of your own format, for `Dataset.define`. Its functions are called file by file; calls for one file never
 * overlap, and all may return promises. An error that one of them throws is TFR_USER, with the file and the error as
 * its `cause`, and `onError` of the dataset decides about it.
 *
 * @typeParam H the value that `open` returns for an open file
 */
export interface SourceReader<T, H, S extends Json = Json> {
  /** Opens a file at its start. `signal` is aborted when the iterator is closed. */
  open(file: string, context: { readonly signal: AbortSignal }): H | Promise<H>;
  /**
   * The next record; undefined at the end. A `read` that throws must leave the file where it was, or behind the bytes
   * that it failed for. With `skip` it is called again where `state` says that it stands elsewhere than before; else
   * the rest of the file is given up, so that nothing goes round for ever.
   */
  read(file: H): SourceRecord<T> | undefined | Promise<SourceRecord<T> | undefined>;
  /** Closes the file: at its end, after an error, and when the iterator is closed. */
  close?(file: H): unknown;
  /** The position of the next `read`, as plain JSON. Called between the other calls. */
  state?(file: H): S;
  /** Goes where `state` was taken. Without the two, an iterator that goes on reads the file again from its start. */
  seek?(file: H, state: S): unknown;
}

/** A record, and its place in the file. */
interface DefinedRecord {
  readonly value: unknown;
  readonly origin: Origin;
}

/** One file in the hands of a reader of the user's. Calls do not overlap: each is made when the one before is over. */
export class DefinedFile {
  readonly path: string;
  /** Records that were read, or passed over. */
  record = 0;
  /** After an error of `read`: whether the reader has left the place where it failed. */
  moved = false;
  readonly #reader: SourceReader<unknown, unknown>;
  readonly #stage: string;
  #handle: { readonly file: unknown } | undefined;
  /** The call under way. */
  #calling: Promise<unknown> | undefined;
  #closed: Promise<void> | undefined;

  constructor(path: string, reader: SourceReader<unknown, unknown>, stage: string) {
    this.path = path;
    this.#reader = reader;
    this.#stage = stage;
  }

  /** @param at the file's path from the working directory now */
  async open(at: string, signal: AbortSignal): Promise<void> {
    await this.#call('open', async () => {
      this.#handle = { file: await this.#reader.open(at, { signal }) };
    });
  }

  /** Goes to record number `record`, where `state` was taken; false where the reader cannot. */
  async seek(record: number, state: Json): Promise<boolean> {
    const reader = this.#reader;
    if (state === null || reader.seek === undefined) return false;
    await this.#call('seek', async () => reader.seek?.(this.#handle?.file, state));
    this.record = record;
    return true;
  }

  /** State of the reader; null without `state`. */
  state(): Json {
    if (this.#reader.seek === undefined) return null;
    try {
      const state = this.#reader.state?.(this.#handle?.file) ?? null;
      // Its own: the reader may go on with what it gave.
      return state === null ? null : (JSON.parse(JSON.stringify(state)) as Json);
    } catch (cause) {
      throw this.#error('state', cause);
    }
  }

  /** The next record; undefined at the end. */
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

  /** Counts the record that `read` failed for. */
  passOver(): void {
    this.record++;
  }

  /** Gives the file back; behind a call that is under way, which is not waited for: it may never come back. */
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
