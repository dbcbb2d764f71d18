/** Parsed columns, composed to batches. */
import {
  newSparseTensor,
  setFeature,
  withJSON,
  type AnyDense,
  type AnyRagged,
  type AnySparse,
  type Column,
  type DType,
} from '../../tensor';
import { batchFixedLen, batchSequence, unpaddedSequence } from './assemble-dense';
import { batchRagged } from './assemble-ragged';
import { batchSparse } from './assemble-sparse';
import { slicePiece, valuesOf, type ColumnData, type Piece } from './columns';
import { FeatureFault } from './feature-fault';
import type { PlannedFeature } from './plan';
import { longestOf } from './row-loops';
import { UnpaddedSteps } from './unpadded-steps';

/** Any value of a feature in a batch. */
export type BatchValue = Column | AnyDense | AnySparse | AnyRagged;

/** What the rows of a feature are read out of. */
export type RowsValue = BatchValue | UnpaddedSteps;

/** A parsed batch of SequenceExamples. */
export interface SequenceBatch {
  readonly context: Record<string, BatchValue>;
  readonly sequence: Record<string, BatchValue>;
  /** Of dense feature lists: the steps of each record. */
  readonly lengths: Record<string, Int32Array<ArrayBuffer>>;
}

/**
 * The features of a piece of Examples. @throws FeatureFault of the first record that is wrong, the first feature of it.
 * @throws TFRecordError TFR_RECORD_TOO_LARGE
 */
export function assembleBatch(piece: Piece): Record<string, BatchValue> {
  return firstFault(piece, (rows) =>
    new Faults().compose(piece.plan.features, (feature) => batchOf(feature, rows)).checked(),
  );
}

/** The same for rows: nothing is padded. @throws as {@link assembleBatch} */
export function assembleRows(piece: Piece): Record<string, RowsValue> {
  const faults = new Faults<RowsValue>().compose(piece.plan.features, (feature) => {
    const { name, details, columns } = feature;
    if (details.kind !== 'fixedLenSequence') return batchOf(feature, piece);
    return unpaddedSequence(name, details, piece.columns[columns[0]!]!);
  });
  return faults.checked();
}

/** The batch of what {@link assembleRows} made of `piece`. @throws TFRecordError TFR_RECORD_TOO_LARGE */
export function batchOfRows(rows: Record<string, RowsValue>, piece: Piece): Record<string, BatchValue> {
  const batch: Record<string, BatchValue> = {};
  for (const feature of piece.plan.features) {
    const value = rows[feature.name]!;
    setFeature(batch, feature.name, value instanceof UnpaddedSteps ? batchOf(feature, piece) : value);
  }
  return withJSON(batch);
}

/** Checks partitions, which is all that may be wrong with rows of SequenceExamples. @throws FeatureFault of a record */
export function checkSequences(piece: Piece): void {
  const { features, sequence } = piece.plan;
  const faults = [features, sequence].map((section) => {
    const ragged = section.filter(({ details }) => details.kind === 'ragged');
    return new Faults().compose(ragged, (feature) => batchOf(feature, piece)).fault;
  });
  throwFirst(...faults);
}

/** The same as {@link assembleBatch} of SequenceExamples. */
export function assembleSequenceBatch(piece: Piece): SequenceBatch {
  return firstFault(piece, sequenceBatchOf);
}

function sequenceBatchOf(piece: Piece): SequenceBatch {
  const { plan, columns } = piece;
  const context = new Faults().compose(plan.features, (feature) => batchOf(feature, piece));
  const sequence = new Faults().compose(plan.sequence, (feature) => batchOf(feature, piece));
  throwFirst(context.fault, sequence.fault);
  const lengths: Record<string, Int32Array<ArrayBuffer>> = {};
  for (const { name, details, columns: own } of plan.sequence) {
    if (details.kind !== 'fixedLenSequence') continue;
    const { steps } = columns[own[0]!]!;
    setFeature(lengths, name, lengthsOf(steps as Int32Array));
  }
  return { context: context.checked(), sequence: sequence.checked(), lengths: withJSON(lengths) };
}

function batchOf({ name, details, columns: own }: PlannedFeature, piece: Piece): BatchValue {
  const { columns, rows } = piece;
  const [values, ...others] = own.map((i) => columns[i]!) as [ColumnData, ...ColumnData[]];
  switch (details.kind) {
    case 'fixedLen':
      return batchFixedLen(details, values, rows);
    case 'varLen':
      return batchVarLen(details.dtype, values, rows);
    case 'fixedLenSequence':
      return batchSequence(name, details, values, piece);
    case 'sparse':
      return batchSparse({ name, details, values, indices: others }, rows);
    case 'ragged':
      return batchRagged({ name, details, values, partitions: others });
  }
}

/** `[rows, longest list]`, of feature lists `[rows, most steps, longest step]`. */
function batchVarLen(dtype: DType, data: ColumnData, rows: number): AnySparse {
  const { steps } = data;
  const splits = data.splits as Int32Array;
  return newSparseTensor(dtype, {
    values: valuesOf(data),
    denseShape: steps === undefined ? [rows, longestOf(splits)] : [rows, longestOf(steps), longestOf(splits)],
    rowSplits: steps === undefined ? [splits] : [steps, splits],
  });
}

function lengthsOf(splits: Int32Array): Int32Array<ArrayBuffer> {
  const lengths = new Int32Array(splits.length - 1);
  for (let row = 0; row < lengths.length; row++) lengths[row] = splits[row + 1]! - splits[row]!;
  return lengths;
}

/** What `compose` makes of `piece`. Of one feature the checks go over all records, one after the other: the first to fail may not be about the first record. */
function firstFault<T>(piece: Piece, compose: (piece: Piece) => T): T {
  try {
    return compose(piece);
  } catch (error) {
    if (error instanceof FeatureFault && error.row > 0) firstFault(slicePiece(piece, 0, error.row), compose);
    throw error;
  }
}

/** Composes all features before it fails, so that the first record at fault is named, whichever feature it is. */
class Faults<T = BatchValue> {
  readonly #made: Record<string, T> = {};
  #fault: FeatureFault | undefined;

  /** The first of the lowest record. */
  get fault(): FeatureFault | undefined {
    return this.#fault;
  }

  compose(features: readonly PlannedFeature[], composed: (feature: PlannedFeature) => T): this {
    for (const feature of features) {
      try {
        setFeature(this.#made, feature.name, composed(feature));
      } catch (error) {
        if (!(error instanceof FeatureFault)) throw error;
        if (this.#fault === undefined || error.row < this.#fault.row) this.#fault = error;
      }
    }
    return this;
  }

  checked(): Record<string, T> {
    throwFirst(this.#fault);
    return withJSON(this.#made);
  }
}

function throwFirst(...faults: readonly (FeatureFault | undefined)[]): void {
  const [first] = faults.filter((fault) => fault !== undefined).sort((a, b) => a.row - b.row);
  if (first !== undefined) throw first;
}
