import type { Json } from '../engine/operator';

/** An element that a reader read, and where it lies. */
export interface SourceRecord<T> {
  /** The element. */
  readonly value: T;
  /** Its first byte in the file. Default 0. */
  readonly offset?: number | undefined;
  /** Its bytes there. Default: those of a `Uint8Array`, else 0. */
  readonly bytes?: number | undefined;
}

/**
 * A reader of files of a kind of its own, for `Dataset.define`. It is told what to do file by file; calls for one file
 * never overlap, and all may return promises. What one of them throws is TFR_USER, with the file and the error as its
 * `cause`, and `onError` of the dataset decides about it.
 *
 * @typeParam H what `open` gives: all that a file in hand needs
 */
export interface SourceReader<T, H, S extends Json = Json> {
  /** Opens a file at its start. `signal` is aborted when the iterator is closed. */
  open(file: string, context: { readonly signal: AbortSignal }): H | Promise<H>;
  /**
   * The next record; undefined at the end. A `read` that throws has to leave the file where it was, or behind what it
   * failed for. With `skip` it is called again where `state` says that it stands elsewhere than before; else the rest of
   * the file is given up, so that nothing goes round for ever.
   */
  read(file: H): SourceRecord<T> | undefined | Promise<SourceRecord<T> | undefined>;
  /** Gives up what `open` gave: at the end, after an error, and when the iterator is closed. */
  close?(file: H): unknown;
  /** Where the next `read` will begin, as plain JSON. Asked for between calls. */
  state?(file: H): S;
  /** Goes where `state` was taken. Without the two, an iterator that goes on reads the file again from its start. */
  seek?(file: H, state: S): unknown;
}
