/** Composes parsed columns to batches, to rows, and to the element of one record. */
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
 * Composes the features of Examples. @throws FeatureFault for the first invalid record, with its first invalid feature
 * @throws TFRecordError TFR_RECORD_TOO_LARGE
 */
export function composeBatch(piece: ParsedColumns): Record<string, BatchValue> {
  return firstFault(piece, (rows) =>
    new Faults().compose(piece.plan.features, (feature) => batchOf(feature, rows)).checked(),
  );
}

/** Composes the features of Examples for reading rows, without padding. @throws like {@link composeBatch} */
function composeUnpadded(piece: ParsedColumns): Record<string, RowsValue> {
  return new Faults<RowsValue>()
    .compose(piece.plan.features, (feature) => feature.definition.rows(featureColumns(feature, piece)))
    .checked();
}

/**
 * Composes the padded batch of `piece` from the values of {@link composeUnpadded}. @throws TFRecordError
 * TFR_RECORD_TOO_LARGE
 */
function paddedBatch(rows: Record<string, RowsValue>, piece: ParsedColumns): Record<string, BatchValue> {
  const batch: Record<string, BatchValue> = {};
  for (const feature of piece.plan.features) {
    const { name, definition } = feature;
    setFeature(batch, name, definition.pads() ? batchOf(feature, piece) : (rows[name] as BatchValue));
  }
  return withMethods(batch);
}

/** Checks the features of SequenceExamples that may be invalid. @throws FeatureFault of a record */
function checkSequences(piece: ParsedColumns): void {
  const { features, sequence } = piece.plan;
  const faults = [features, sequence].map((section) => {
    const doubtful = section.filter(mayFail);
    return new Faults().compose(doubtful, (feature) => batchOf(feature, piece)).fault;
  });
  throwFirst(...faults);
}

/** Composes the batch of SequenceExamples. @throws like {@link composeBatch} */
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

/** Composes the features of one Example. @throws FeatureFault of the first invalid feature */
export function composeElement(piece: ParsedColumns): Record<string, ElementValue> {
  return elementOf(piece.plan.features, piece);
}

/** The element of a SequenceExample. */
interface SequenceElementValues {
  context: Record<string, ElementValue>;
  sequence: Record<string, ElementValue>;
}

/** Composes the features of one SequenceExample. @throws like {@link composeElement} */
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

/** True if a record that was parsed may still be invalid in this feature. */
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

/**
 * Composes `piece`. @throws the fault of the first invalid record: `compose` checks feature by feature, so its first
 * error may concern a later record
 */
function firstFault<T>(piece: ParsedColumns, compose: (piece: ParsedColumns) => T): T {
  try {
    return compose(piece);
  } catch (error) {
    if (error instanceof FeatureFault && error.row > 0) firstFault(sliceColumns(piece, 0, error.row), compose);
    throw error;
  }
}

/** Collects the faults of all features, so that the first invalid record is named, whichever feature is invalid. */
class Faults<T = BatchValue> {
  readonly #made: Record<string, T> = {};
  #fault: FeatureFault | undefined;

  /** The first fault of the first invalid record. */
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

/** Valid records that are composed one by one, or as a batch. */
export interface ComposedRows {
  /** Returns row `row`. */
  at(row: number): object;
  /** Returns all rows as a batch. @throws TFRecordError TFR_RECORD_TOO_LARGE */
  batch(): object;
}

/** Composes parsed columns of one plan. */
export interface Composer {
  readonly plan: Plan;
  /** True if a record that was parsed may still be invalid, so that {@link Composer.compose} throws. */
  readonly mayFail: boolean;
  /** Returns the rows of `piece`. @throws FeatureFault of an invalid record, which need not be the first one */
  readonly compose: (piece: ParsedColumns) => ComposedRows;
  /**
   * Returns `piece` as a batch. @throws FeatureFault of the first invalid record; TFRecordError TFR_RECORD_TOO_LARGE
   */
  readonly batch: (piece: ParsedColumns) => object;
}

/** Returns the composer for a plan of Examples. */
export function exampleComposer(plan: Plan): Composer {
  return {
    plan,
    mayFail: plan.features.some(mayFail),
    compose: (piece) => new ComposedExamples(piece),
    batch: composeBatch,
  };
}

/** Returns the composer for a plan of SequenceExamples. */
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
  /** Created at the first read of a row. */
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
