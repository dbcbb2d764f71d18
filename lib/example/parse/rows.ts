/** The rows of a batch as objects that read when they are asked. */
import { inspect } from 'node:util';

import { invalidArgType, invalidArgValue } from '../../errors';
import type { Batch, Element, Spec } from '../spec';
import { scalarJson, valueAt, type Column, type DType, type Int64As } from '../tensor';
import { setFeature, type RowsValue } from './assemble';
import type { ElementValue } from './element';
import { planExample, type Plan } from './plan';
import { rowReader, rowsIn, type RowReader } from './row-readers';

/** Makes the view of row `row` of a batch, whose features come in the order of the plan. */
export type RowClass = new (columns: readonly RowsValue[], row: number) => object;

/**
 * The rows of a batch, as light views: each feature is read out of its column when it is asked for. What
 * `parseSingleExample` would give of each record, over the memory of the batch; padding of `fixedLenSequence` is left out of
 * batches that were parsed, and is part of the rows of those that the caller has made. @throws TypeError where the batch
 * does not fit the spec.
 */
export function rowsOf<S extends Spec, I extends Int64As = 'bigint'>(
  batch: Batch<S, I>,
  spec: S,
): IterableIterator<Element<S, I>> {
  const plan = planExample(spec);
  if (typeof batch !== 'object' || batch === null) throw invalidArgType('batch', 'a batch', batch);
  const columns = columnsOf(plan, batch);
  const Row = rowClass(plan);
  const rows = checkRows(plan, columns);
  return viewRows(Row, columns, rows) as IterableIterator<Element<S, I>>;
}

function* viewRows(Row: RowClass, columns: readonly RowsValue[], rows: number): IterableIterator<object> {
  for (let row = 0; row < rows; row++) yield new Row(columns, row);
}

/** The features of a batch in the order of the plan. */
export function columnsOf(plan: Plan, batch: Record<string, RowsValue>): readonly RowsValue[] {
  return plan.features.map(({ name }) => batch[name] as RowsValue);
}

function checkRows(plan: Plan, columns: readonly RowsValue[]): number {
  const counts = plan.features.map(({ name, details }, i) => rowsIn(name, details, columns[i]));
  const [rows = 0] = counts;
  const other = counts.findIndex((count) => count !== rows);
  if (other < 0) return rows;
  const { name } = plan.features[other] as (typeof plan.features)[number];
  throw invalidArgValue(`batch[${JSON.stringify(name)}]`, `of ${rows} rows, as the other features are`, counts[other]);
}

const classes = new WeakMap<Plan, RowClass>();
const prototypes = new WeakSet<object>();

/** Whether `value` is a view of a row: its features are inherited, and all that is enumerable. */
export function isRow(value: object): boolean {
  return prototypes.has(Object.getPrototypeOf(value) as object);
}

/** The class of the rows of a plan: a getter a feature on its prototype. */
export function rowClass(plan: Plan): RowClass {
  let made = classes.get(plan);
  if (made === undefined) {
    classes.set(plan, (made = newRowClass(plan)));
    prototypes.add(made.prototype as object);
  }
  return made;
}

function newRowClass(plan: Plan): RowClass {
  const features = plan.features.map(({ name, details }) => ({
    name,
    dtype: details.dtype,
    read: rowReader(details),
  }));
  return class Row {
    readonly #columns: readonly RowsValue[];
    readonly #row: number;

    constructor(columns: readonly RowsValue[], row: number) {
      this.#columns = columns;
      this.#row = row;
    }

    static {
      features.forEach(({ name, read }, i) => {
        Object.defineProperty(this.prototype, name, {
          get: this.#getter(i, read),
          enumerable: true,
          configurable: true,
        });
      });
    }

    static #getter(i: number, read: RowReader): (this: Row) => unknown {
      return function () {
        return read(this.#columns[i] as RowsValue, this.#row);
      };
    }

    /** Values as in `DenseTensor.toJSON`. */
    toJSON(): Record<string, unknown> {
      const json: Record<string, unknown> = {};
      features.forEach(({ name, read, dtype }, i) => {
        setFeature(json, name, elementJson(dtype, read(this.#columns[i] as RowsValue, this.#row)));
      });
      return json;
    }

    /** The whole row, as a plain object. */
    [inspect.custom](): object {
      return Object.fromEntries(
        features.map(({ name, read }, i) => [name, read(this.#columns[i] as RowsValue, this.#row)]),
      );
    }
  };
}

/** JSON of a value, of a column value by value; tensors have a form of their own. */
function elementJson(dtype: DType, value: ElementValue): unknown {
  if (typeof value !== 'object' || value instanceof Uint8Array) return scalarJson(dtype, value);
  if (!ArrayBuffer.isView(value)) return value;
  const column: Column = value;
  return Array.from({ length: column.length }, (_, i) => scalarJson(dtype, valueAt(column, i)));
}
