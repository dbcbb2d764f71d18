/** One record, parsed by a spec, as one line of JSON. */
import type { RecordBatch } from '../../record';
import { parseRecordOf, type ElementValue, type Plan } from '../parse';
import { printElement } from './element-json';
import type { JsonText } from './json-text';
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
