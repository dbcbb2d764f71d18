/** Makes the rows of a batch as objects. */
import { counted, invalidArgType, invalidArgValue, isObject } from '../../base';
import { givenLength } from '../../io';
import { BytesArray, isInherited, newRow, setFeature, storeFeature, type ToObject } from '../../tensor';
import type { Batch, Element, RowSource, RowsValue, Spec } from '../kinds';
import { planExample, type Plan } from './plan';

// A name of a door is a getter, which costs a third of a row's time: rows are made through constants.
const [make, store] = [newRow, storeFeature];

/** Makes row `row` of some columns. */
export type RowMaker = (row: number) => object;

/**
 * The rows of a batch as plain objects: the values that `parseSingleExample` would give for each record. Numbers are
 * copied; bytes and tensors are views into the memory of the batch. Rows of a parsed batch have no padding of
 * `fixedLenSequence`; rows of a batch that the caller made have it. @throws TypeError if the batch does not fit the
 * spec.
 *
 * @example
 * const spec = { id: fixedLen([], 'int64') };
 * for (const { id } of rowsOf(parseExample(records, spec), spec)) console.log(id);
 */
export function rowsOf<S extends Spec>(batch: Batch<S>, spec: S): IterableIterator<Element<S> & ToObject>;
/** The rows of a batch with int64 as numbers. */
export function rowsOf<S extends Spec>(
  batch: Batch<S, 'number'>,
  spec: S,
): IterableIterator<Element<S, 'number'> & ToObject>;
/** The rows of a batch with bytes as text. */
export function rowsOf<S extends Spec>(
  batch: Batch<S, 'bigint', 'text'>,
  spec: S,
): IterableIterator<Element<S, 'bigint', 'text'> & ToObject>;
/** The rows of a batch with both. */
export function rowsOf<S extends Spec>(
  batch: Batch<S, 'number', 'text'>,
  spec: S,
): IterableIterator<Element<S, 'number', 'text'> & ToObject>;
export function rowsOf(batch: object, spec: Spec): IterableIterator<object> {
  const plan = planExample(spec);
  if (!isObject(batch)) throw invalidArgType('batch', 'a batch', batch);
  const columns = columnsOf(plan, batch as Record<string, RowsValue>);
  const rows = checkRows(plan, columns);
  return madeRows(rowMaker(plan, columns), rows);
}

function* madeRows(made: RowMaker, rows: number): IterableIterator<object> {
  for (let row = 0; row < rows; row++) yield made(row);
}

/** The features of a batch in the order of the plan. */
export function columnsOf(plan: Plan, batch: Record<string, RowsValue>): readonly RowsValue[] {
  return plan.features.map(({ name }) => batch[name]!);
}

function checkRows(plan: Plan, columns: readonly RowsValue[]): number {
  const counts = plan.features.map(({ name, definition }, i) =>
    definition.countRows(columns[i], (expected) =>
      invalidArgType(`batch[${JSON.stringify(name)}]`, expected, columns[i]),
    ),
  );
  const [rows = 0] = counts;
  const other = counts.findIndex((count) => count !== rows);
  if (other < 0) return rows;
  const { name } = plan.features[other]!;
  throw invalidArgValue(
    `batch[${JSON.stringify(name)}]`,
    `of ${counted(rows, 'row')}, as the other features are`,
    counts[other],
  );
}

interface NamedSource {
  readonly name: string;
  /** True if every object inherits a property of that name. */
  readonly inherited: boolean;
  readonly source: RowSource;
}

/** Makes the rows of `columns`, which are in the order of the plan's features. */
export function rowMaker(plan: Plan, columns: readonly RowsValue[]): RowMaker {
  const sources = plan.features.map(({ name, definition }, i): NamedSource => ({
    name,
    inherited: isInherited(name),
    source: definition.rowSource(columns[i]!),
  }));
  return (row) => {
    const made = make();
    for (let i = 0; i < sources.length; i++) {
      const { name, inherited, source } = sources[i]!;
      const value = typeof source === 'function' ? source(row) : source[row];
      if (value === undefined) throw goneError(name, columns[i]!, row);
      if (inherited) setFeature(made, name, value);
      else store(made, i, name, value);
    }
    return made;
  };
}

/** The error that says why row `row` has no value. */
function goneError(name: string, column: RowsValue, row: number): unknown {
  const argument = `batch[${JSON.stringify(name)}]`;
  // Throws if the memory was transferred away.
  if (ArrayBuffer.isView(column) && !(column instanceof BytesArray)) givenLength(argument, column);
  return invalidArgValue(argument, `of more than ${counted(row, 'row')}`, column);
}
