/** Scalars of logs as CSV. */
import { float64Json } from '../example';
import type { ValueBlock } from './value-block';

/** Prints rows of fields as CSV, each with a break after it. */
type StringifyRows = (rows: string[][]) => string;

/** Makes lines of CSV. Runs and tags are quoted once. */
export class ScalarCsv {
  /** The first line. */
  static readonly header = 'run,tag,step,wall_time,value';

  /** Number of values that were printed. */
  rows = 0;
  readonly #stringify: StringifyRows;
  readonly #wants: (run: string, tag: string) => boolean;
  #run = '';
  #tags: ValueBlock['tags'] = [];
  /** The beginnings of lines, by the numbers of the run's tags; null for tags that are not wanted. */
  #heads: (string | null)[] = [];

  /**
   * `stringify`: that of `csv-stringify/sync`, which callers load, because bundles of programs that only read logs need not
   * have it. `wants`: true for the curves to print. Default: all.
   */
  constructor(stringify: StringifyRows, wants: (run: string, tag: string) => boolean = () => true) {
    this.#stringify = stringify;
    this.#wants = wants;
  }

  /** Returns the lines of the values of `block`, with breaks between them. Empty if none is wanted. */
  lines(block: ValueBlock): string {
    if (block.tags !== this.#tags) {
      this.#tags = block.tags;
      this.#heads = [];
      this.#run = this.#field(block.run);
    }
    const { rows, tagIds, steps, wallTimes, scalars } = block;
    let lines = '';
    for (let row = 0; row < rows; row++) {
      const tag = tagIds[row]!;
      const head = (this.#heads[tag] ??= this.#headOf(block.run, block.tags[tag]!.name));
      if (head === null) continue;
      this.rows++;
      if (lines !== '') lines += '\n';
      lines += `${head}${steps[row]!},${numberText(wallTimes[row]!)},${numberText(scalars[row]!)}`;
    }
    return lines;
  }

  #headOf(run: string, tag: string): string | null {
    return this.#wants(run, tag) ? `${this.#run},${this.#field(tag)},` : null;
  }

  /** Returns a field of CSV, quoted where that is needed (RFC 4180). */
  #field(text: string): string {
    return this.#stringify([[text]]).slice(0, -1);
  }
}

/** Returns the digits of `value`; NaN and infinities without the quotes that JSON needs. */
function numberText(value: number): string {
  return Number.isFinite(value) ? float64Json(value) : String(value);
}
