/** Parsed columns, composed to batches, to rows, and to the element of one record. */
import { newRow, setFeature, withMethods } from '../../tensor';
import { FeatureFault } from '../columns';
import type { BatchValue, ElementValue, FeatureColumns, RowsValue } from '../kinds';
import { lastingRow, sliceColumns, type ParsedColumns } from './parsed-columns';
import type { Plan, PlannedFeature } from './plan';
import { columnsOf, rowMaker, type RowMaker } from './rows';

/** A parsed batch of SequenceExamples. */
export interface SequenceBatch {
  readonly context: Record<string, BatchValue>;
  readonly sequence: Record<string, BatchValue>;
  /** The number of steps of each record, for dense feature lists. */
  readonly lengths: Record<string, Int32Array<ArrayBuffer>>;
}

/**
 * The features of a piece of Examples. @throws FeatureFault of the first record that is wrong, the first feature of it.
 * @throws TFRecordError TFR_RECORD_TOO_LARGE
 */
export function composeBatch(piece: ParsedColumns): Record<string, BatchValue> {
  return firstFault(piece, (rows) =>
    new Faults().compose(piece.plan.features, (feature) => batchOf(feature, rows)).checked(),
  );
}

/** The features of a piece of Examples for reading rows, not padded. @throws as {@link composeBatch} */
function composeUnpadded(piece: ParsedColumns): Record<string, RowsValue> {
  return new Faults<RowsValue>()
    .compose(piece.plan.features, (feature) => feature.definition.rows(featureColumns(feature, piece)))
    .checked();
}

/**
 * The batch of `piece`, padded, of the values of {@link composeUnpadded}. @throws TFRecordError TFR_RECORD_TOO_LARGE
 */
function paddedBatch(rows: Record<string, RowsValue>, piece: ParsedColumns): Record<string, BatchValue> {
  const batch: Record<string, BatchValue> = {};
  for (const feature of piece.plan.features) {
    const { name, definition } = feature;
    setFeature(batch, name, definition.pads() ? batchOf(feature, piece) : (rows[name] as BatchValue));
  }
  return withMethods(batch);
}

/** Checks the features of SequenceExamples that may be at fault. @throws FeatureFault of a record */
function checkSequences(piece: ParsedColumns): void {
  const { features, sequence } = piece.plan;
  const faults = [features, sequence].map((section) => {
    const doubtful = section.filter(mayFail);
    return new Faults().compose(doubtful, (feature) => batchOf(feature, piece)).fault;
  });
  throwFirst(...faults);
}

/** The batch of a piece of SequenceExamples. @throws as {@link composeBatch} */
export function composeSequenceBatch(piece: ParsedColumns): SequenceBatch {
  return firstFault(piece, sequenceBatchOf);
}

function sequenceBatchOf(piece: ParsedColumns): SequenceBatch {
  const { plan, columns } = piece;
  const context = new Faults().compose(plan.features, (feature) => batchOf(feature, piece));
  const sequence = new Faults().compose(plan.sequence, (feature) => batchOf(feature, piece));
  throwFirst(context.fault, sequence.fault);
  const lengths: Record<string, Int32Array<ArrayBuffer>> = {};
  for (const { name, definition, columns: own } of plan.sequence) {
    if (!definition.pads()) continue;
    const { steps } = columns[own[0]!]!;
    setFeature(lengths, name, lengthsOf(steps!));
  }
  return withMethods({ context: context.checked(), sequence: sequence.checked(), lengths: withMethods(lengths) });
}

/** The features of a piece of one Example. @throws FeatureFault of the first feature that is wrong */
export function composeElement(piece: ParsedColumns): Record<string, ElementValue> {
  return elementOf(piece.plan.features, piece);
}

/** The element of a SequenceExample. */
interface SequenceElementValues {
  context: Record<string, ElementValue>;
  sequence: Record<string, ElementValue>;
}

/** The features of a piece of one SequenceExample. @throws as {@link composeElement} */
export function composeSequenceElement(piece: ParsedColumns): SequenceElementValues {
  const { features, sequence } = piece.plan;
  const parts = { context: elementOf(features, piece), sequence: elementOf(sequence, piece) };
  return Object.assign(newRow(), parts);
}

function elementOf(features: readonly PlannedFeature[], piece: ParsedColumns): Record<string, ElementValue> {
  const element = newRow() as Record<string, ElementValue>;
  for (const feature of features) {
    setFeature(element, feature.name, feature.definition.element(featureColumns(feature, piece)));
  }
  return element;
}

/** True if a record that was parsed may still be at fault in `feature`. */
function mayFail({ definition, section }: PlannedFeature): boolean {
  return definition.mayFail(section);
}

function batchOf(feature: PlannedFeature, piece: ParsedColumns): BatchValue {
  return feature.definition.batch(featureColumns(feature, piece));
}

function featureColumns(
  { name, columns: own }: PlannedFeature,
  { columns, rows, memory }: ParsedColumns,
): FeatureColumns {
  const [values, ...others] = own.map((i) => columns[i]!);
  return { name, rows, values: values!, others, memory };
}

function lengthsOf(splits: Int32Array): Int32Array<ArrayBuffer> {
  const lengths = new Int32Array(splits.length - 1);
  for (let row = 0; row < lengths.length; row++) lengths[row] = splits[row + 1]! - splits[row]!;
  return lengths;
}

/** Composes `piece`. A feature is checked over all its records before the next feature, so the first error may not be about the first record. */
function firstFault<T>(piece: ParsedColumns, compose: (piece: ParsedColumns) => T): T {
  try {
    return compose(piece);
  } catch (error) {
    if (error instanceof FeatureFault && error.row > 0) firstFault(sliceColumns(piece, 0, error.row), compose);
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
    return withMethods(this.#made);
  }
}

function throwFirst(...faults: readonly (FeatureFault | undefined)[]): void {
  const [first] = faults.filter((fault) => fault !== undefined).sort((a, b) => a.row - b.row);
  if (first !== undefined) throw first;
}

/** Records that can be composed, each by itself. */
export interface ComposedRows {
  /** Row `row`. */
  at(row: number): object;
  /** All of them. @throws TFRecordError TFR_RECORD_TOO_LARGE */
  batch(): object;
}

/** Composes the pieces of one plan. */
export interface Composer {
  readonly plan: Plan;
  /** True if a record that was parsed may still be at fault, for which {@link Composer.compose} throws. */
  readonly mayFail: boolean;
  /** The rows of `piece`. @throws FeatureFault of a record that is wrong: others before it may be, too */
  readonly compose: (piece: ParsedColumns) => ComposedRows;
  /** `piece` as a batch. @throws FeatureFault of the first record that is wrong; TFRecordError TFR_RECORD_TOO_LARGE */
  readonly batch: (piece: ParsedColumns) => object;
}

/** The composer of a plan of Examples. */
export function exampleComposer(plan: Plan): Composer {
  return {
    plan,
    mayFail: plan.features.some(mayFail),
    compose: (piece) => new ComposedExamples(piece),
    batch: composeBatch,
  };
}

/** The composer of a plan of SequenceExamples. */
export function sequenceComposer(plan: Plan): Composer {
  const doubtful = [...plan.features, ...plan.sequence].some(mayFail);
  return {
    plan,
    mayFail: doubtful,
    compose: (piece) => {
      if (doubtful) checkSequences(piece);
      return {
        at: (row) => composeSequenceElement(lastingRow(piece, row)),
        batch: () => composeSequenceBatch(piece),
      };
    },
    batch: composeSequenceBatch,
  };
}

class ComposedExamples implements ComposedRows {
  readonly #piece: ParsedColumns;
  readonly #rows: Record<string, RowsValue>;
  /** Made at the first read of a row. */
  #made: RowMaker | undefined;

  constructor(piece: ParsedColumns) {
    this.#piece = piece;
    this.#rows = composeUnpadded(piece);
  }

  at(row: number): object {
    const { plan } = this.#piece;
    this.#made ??= rowMaker(plan, columnsOf(plan, this.#rows));
    return this.#made(row);
  }

  batch(): object {
    return paddedBatch(this.#rows, this.#piece);
  }
}
