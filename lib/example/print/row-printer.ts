/** Parses a record by a spec, and prints it as one line of JSON. */
import type { RecordBatch } from '../../record';
import type { ElementValue } from '../kinds';
import { parseRecordOf, type Plan } from '../parse';
import { classOf, sizeOf, valueAt, type Column, type Scalar, type Shape, type ValueForm } from '../../tensor';
import { float32Json, type JsonText } from './json';
import { PrintContext, type PrintOptions } from './print-context';

/**
 * Prints the features that a spec reads: `{"id":7,"tags":["a","b"]}`, the features in the order of the spec; of a
 * SequenceExample `{"context":{…},"sequence":{…}}`. int64 are exact integers, floats have a point or an exponent, bytes
 * are text or `{"base64":…}`. Dense and ragged tensors are nested lists, sparse ones
 * `{"indices":[[0]],"values":[1],"denseShape":[4]}`. Unless `full`, long values are cut, as by `RecordPrinter`.
 */
export class RowPrinter {
  readonly #plan: Plan;
  readonly #context: PrintContext;

  constructor(plan: Plan, options: PrintOptions = {}) {
    this.#plan = plan;
    this.#context = new PrintContext(options);
  }

  /** Number of lists and values that were cut so far. */
  get cuts(): number {
    return this.#context.cuts;
  }

  /** Adds record `index` of `batch`. @throws TFRecordError TFR_EXAMPLE or TFR_FEATURE, with the record's place */
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
    const printer = new Printer(this.#context, out);
    let separator = '{';
    for (const [name, value] of Object.entries(element)) {
      out.add(`${separator}${this.#context.name(name)}:`);
      printer.element(value);
      separator = ',';
    }
    out.add(separator === '{' ? '{}' : '}');
  }
}

/** Adds the JSON of the features of one record that was parsed with int64 as bigint. */
class Printer implements ValueForm<void> {
  readonly #context: PrintContext;
  readonly #out: JsonText;

  constructor(context: PrintContext, out: JsonText) {
    this.#context = context;
    this.#out = out;
  }

  /** Adds the value of a feature. */
  element(value: ElementValue): void {
    if (value === null) {
      this.nothing();
      return;
    }
    if (typeof value !== 'object' || value instanceof Uint8Array) {
      this.#scalar(value);
      return;
    }
    const known = classOf(value);
    if (known !== undefined) known.walk(value, this);
    else this.dense(value as Column, [(value as Column).length], 0);
  }

  nothing(): void {
    this.#out.add('null');
  }

  integers(values: ArrayLike<number | bigint>): void {
    this.#out.add(`[${Array.prototype.join.call(values, ',')}]`);
  }

  object(members: Readonly<Record<string, () => void>>): void {
    let separator = '{';
    for (const [name, add] of Object.entries(members)) {
      this.#out.add(`${separator}"${name}":`);
      add();
      separator = ',';
    }
    this.#out.add('}');
  }

  list(count: number, of: 'values' | 'rows', item: (index: number) => void): void {
    const { values, steps } = this.#context.limits;
    this.#context.items(count, of === 'values' ? values : steps, this.#out, item);
  }

  dense(data: Column, [count, ...inner]: Shape, first: number): void {
    if (count === undefined) {
      this.#scalar(valueAt(data, first));
      return;
    }
    const size = sizeOf(inner);
    this.list(count, inner.length === 0 ? 'values' : 'rows', (i) => {
      this.dense(data, inner, first + i * size);
    });
  }

  #scalar(value: Scalar): void {
    if (typeof value === 'bigint') this.#out.add(String(value));
    else if (typeof value === 'number') this.#out.add(float32Json(value));
    else this.#context.printBytes(typeof value === 'string' ? Buffer.from(value) : value, this.#out);
  }
}
