/** One record, parsed by a spec, as one line of JSON. */
import type { RecordBatch } from '../../record';
import type { ElementValue } from '../kinds';
import { parseRecordOf, type Plan } from '../parse';
import {
  classOf,
  sizeOf,
  SparseTensor,
  valueAt,
  type AnyRagged,
  type AnySparse,
  type Column,
  type Scalar,
  type Shape,
} from '../../tensor';
import { float32Json, type JsonText } from './json';
import { PrintContext, type PrintOptions } from './print-context';

/**
 * Prints records as what a spec makes of them: `{"id":7,"tags":["a","b"]}`, the features in the order of the spec; of a
 * SequenceExample `{"context":{…},"sequence":{…}}`. int64 are exact integers, floats have a point or an exponent, bytes
 * are text or `{"base64":…}`. Dense and ragged tensors are nested lists, sparse ones
 * `{"indices":[[0]],"values":[1],"denseShape":[4]}`. Unless `full`, what is long is cut, as by `RecordPrinter`.
 */
export class RowPrinter {
  readonly #plan: Plan;
  readonly #context: PrintContext;

  constructor(plan: Plan, options: PrintOptions = {}) {
    this.#plan = plan;
    this.#context = new PrintContext(options);
  }

  /** How many lists and values were cut so far. */
  get cuts(): number {
    return this.#context.cuts;
  }

  /** Adds record `index` of `batch`. @throws TFRecordError TFR_EXAMPLE, TFR_FEATURE naming its place. */
  print(batch: RecordBatch, index: number, out: JsonText): void {
    const { features, sequence } = parseRecordOf(batch, index, this.#plan);
    if (sequence === undefined) {
      this.#print(features, out);
      return;
    }
    out.add('{"context":');
    this.#print(features, out);
    out.add(',"sequence":');
    this.#print(sequence, out);
    out.add('}');
  }

  #print(element: Record<string, ElementValue>, out: JsonText): void {
    let separator = '{';
    for (const [name, value] of Object.entries(element)) {
      out.add(`${separator}${this.#context.name(name)}:`);
      printElement(value, this.#context, out);
      separator = ',';
    }
    out.add(separator === '{' ? '{}' : '}');
  }
}

/** Adds the JSON of one feature of a record that was parsed with int64 as bigint. */
function printElement(value: ElementValue, context: PrintContext, out: JsonText): void {
  if (typeof value !== 'object' || value instanceof Uint8Array) {
    printScalar(value, context, out);
    return;
  }
  const known = classOf(value);
  const dense = known?.dense(value);
  if (dense !== undefined) printDense(dense.data, dense.shape, 0, context, out);
  else if (known === undefined) printDense(value as Column, [(value as Column).length], 0, context, out);
  else if (value instanceof SparseTensor) printSparse(value, context, out);
  else printRagged(value as AnyRagged, context, out);
}

function printScalar(value: Scalar, context: PrintContext, out: JsonText): void {
  if (typeof value === 'bigint') out.add(String(value));
  else if (typeof value === 'number') out.add(float32Json(value));
  else context.printBytes(value, out);
}

/** Nested lists of the values of `data` from `first` on; a scalar is its value. */
function printDense(data: Column, [count, ...inner]: Shape, first: number, context: PrintContext, out: JsonText): void {
  if (count === undefined) {
    printScalar(valueAt(data, first), context, out);
    return;
  }
  const { values, steps } = context.limits;
  const size = sizeOf(inner);
  context.items(count, inner.length === 0 ? values : steps, out, (i) => {
    printDense(data, inner, first + i * size, context, out);
  });
}

function printSparse(sparse: AnySparse, context: PrintContext, out: JsonText): void {
  const { values, indices, denseShape } = sparse;
  const rank = denseShape.length;
  const column: Column = values;
  const limit = context.limits.values;
  out.add('{"indices":');
  context.items(column.length, limit, out, (i) => {
    out.add(`[${indices.slice(i * rank, (i + 1) * rank).join(',')}]`);
  });
  out.add(',"values":');
  context.items(column.length, limit, out, (i) => {
    printScalar(valueAt(column, i), context, out);
  });
  out.add(`,"denseShape":[${denseShape.join(',')}]}`);
}

function printRagged(ragged: AnyRagged, context: PrintContext, out: JsonText): void {
  const { values, rowSplits } = ragged;
  const data: Column = values.data;
  const [rows = 0, ...inner] = values.shape;
  const size = sizeOf(inner);
  const printRows = (level: number, begin: number, end: number): void => {
    const splits = rowSplits[level];
    if (splits === undefined) {
      printDense(data, [end - begin, ...inner], begin * size, context, out);
      return;
    }
    context.items(end - begin, context.limits.steps, out, (i) => {
      printRows(level + 1, Number(splits[begin + i]), Number(splits[begin + i + 1]));
    });
  };
  printRows(0, 0, rowSplits[0] === undefined ? rows : rowSplits[0].length - 1);
}
