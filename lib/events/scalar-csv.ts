/** Scalars of logs as CSV. */
import { float64Json } from '../example';
import type { ValueBlock } from './value-block';

/** Makes lines of CSV. Runs and tags are quoted once. */
export class ScalarCsv {
  /** The first line. */
  static readonly header = 'run,tag,step,wall_time,value';

  /** Number of values that were printed. */
  rows = 0;
  readonly #wants: (run: string, tag: string) => boolean;
  #run = '';
  #tags: ValueBlock['tags'] = [];
  /** The beginnings of lines, by the numbers of the run's tags; null for tags that are not wanted. */
  #heads: (string | null)[] = [];

  /** @param wants true for the curves to print. Default: all */
  constructor(wants: (run: string, tag: string) => boolean = () => true) {
    this.#wants = wants;
  }

  /** Returns the lines of the values of `block`, with breaks between them. Empty if none is wanted. */
  lines(block: ValueBlock): string {
    if (block.tags !== this.#tags) {
      this.#tags = block.tags;
      this.#heads = [];
      this.#run = csvField(block.run);
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
    return this.#wants(run, tag) ? `${this.#run},${csvField(tag)},` : null;
  }
}

/** Returns the digits of `value`; NaN and infinities without the quotes that JSON needs. */
function numberText(value: number): string {
  return Number.isFinite(value) ? float64Json(value) : String(value);
}

/** Returns a field of CSV, quoted where that is needed (RFC 4180). */
function csvField(text: string): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded with the first field
  const { stringify } = require('csv-stringify/sync');
  return stringify([[text]]).slice(0, -1);
}
