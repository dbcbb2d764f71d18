import type { ColumnArrays } from '../../native';
import type { ColumnData } from '../columns';
import { arraysOf, type Piece, type UntakenColumns } from './columns';
import { newPiece, type PieceOptions } from './new-piece';
import type { Plan } from './plan';

/** Rows of a piece in native memory. */
export interface NativeRows {
  readonly rows: number;
  /** Four sizes for each column, valid until the next call for any rows. */
  sizes(): Float64Array;
  /** Copies the rows into `arrays`, after the elements that `filled` counts, if it is given. */
  take(arrays: ColumnArrays, filled?: Float64Array): void;
  /** Frees the rows, which nobody needs. */
  drop(): void;
}

/**
 * A part of a batch. Its columns stay native until all parts are there; then they are copied into the batch at once.
 */
export class UntakenPiece implements Piece, UntakenColumns {
  readonly plan: Plan;
  readonly rows: number;
  readonly options: PieceOptions;
  #native: NativeRows | undefined;
  /** The columns once they were moved here; empty if they were moved elsewhere. */
  #columns: readonly ColumnData[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(plan: Plan, native: NativeRows, options: PieceOptions) {
    this.plan = plan;
    this.rows = native.rows;
    this.options = options;
    this.#native = native;
  }

  get memory(): PieceOptions['memory'] {
    return this.options.memory;
  }

  get untaken(): UntakenColumns | undefined {
    return this.#native === undefined ? undefined : this;
  }

  /** @throws TFRecordError ENOMEM */
  get columns(): readonly ColumnData[] {
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#move();
    return this.#columns;
  }

  sizes(): Float64Array {
    return this.#native!.sizes().slice();
  }

  moveBehind(arrays: ColumnArrays, filled: Float64Array): void {
    const native = this.#native!;
    native.take(arrays, filled);
    this.#drop(native);
  }

  /** Moves the columns here, unless they were moved before, because the native memory is about to be freed. */
  settle(): void {
    try {
      this.#move();
    } catch (error) {
      this.#failure = { error };
      this.#native = undefined;
    }
  }

  #move(): void {
    const native = this.#native;
    if (native === undefined) return;
    const piece = newPiece(this.plan, this.rows, native.sizes(), this.options);
    native.take(arraysOf(piece));
    this.#columns = piece.columns;
    this.#drop(native);
  }

  #drop(native: NativeRows): void {
    this.#native = undefined;
    native.drop();
  }
}
