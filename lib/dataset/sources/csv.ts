import { TFRecordError } from '../../errors';
import type { ErrorPolicy, RecordSource } from '../../record';
import { ArrayColumn } from '../engine/elements';
import { Input } from '../engine/input';
import type { Chunk, Json, Mark, Operator } from '../engine/operator';
import { RAW, recordsOf } from '../engine/records';
import { type Run, stagePath } from '../engine/run';
import { CsvLayout, type CsvStageOptions } from './csv-layout';
import { CutFilesStage } from './cut-files';
import { CsvCutter } from './cut/csv-cutter';
import type { CutFrames, CutPlan } from './cut/cut-plan';
import { LineCutter } from './cut/line-cutter';
import { utf8Check } from './text';

/** `Dataset.csv`: the rows of files, as objects. */
export class CsvStage extends CutFilesStage {
  readonly kind = 'csv';
  readonly #options: CsvStageOptions;

  constructor(source: RecordSource, compression: CutPlan['compression'], options: CsvStageOptions) {
    const { rules, columns, header } = options;
    super(source, {
      compression,
      headRecords: header ? 1 : 0,
      wantsHead: header,
      text: true,
      cutter: () => (rules.quotes ? new CsvCutter(rules.delimiter) : new LineCutter()),
      form: RAW,
      check: columns.some(({ text }) => text) ? utf8Check('Record') : undefined,
      checkHead: (source) => {
        const layout = layoutOf(options, source);
        return layout instanceof TFRecordError ? layout : undefined;
      },
      order: orderOf(options),
    });
    this.#options = options;
  }

  override open(run: Run, from: Mark): Operator {
    const input = new Input(this.openRecords(run, from), run.scope, from);
    return new CsvOperator(input, this.#options, run.policy(stagePath(run, this)));
  }
}

/** The layout of a file, or what is wrong with its header. */
function layoutOf(options: CsvStageOptions, { file, head }: CutFrames): CsvLayout | TFRecordError {
  try {
    return new CsvLayout(options, head, file);
  } catch (error) {
    if (error instanceof TFRecordError) return error;
    throw error;
  }
}

function orderOf({ columns, rules, header }: CsvStageOptions): Json {
  const fields = columns.map(({ name, dtype, text }, i) => [
    name,
    text ? 'text' : dtype,
    String(rules.columns[i]?.fallback ?? null),
  ]);
  return [fields, header, rules.delimiter, rules.quotes, String(rules.naValue)];
}

/** Records, one row each: those that cannot be decoded are errors of their own. */
class CsvOperator implements Operator {
  readonly #input: Input;
  readonly #options: CsvStageOptions;
  readonly #policy: ErrorPolicy;
  #file: string | undefined;
  /** Of the file in hand; undefined where it was given up for its header. */
  #layout: CsvLayout | undefined;
  #ended = false;

  constructor(input: Input, options: CsvStageOptions, policy: ErrorPolicy) {
    this.#input = input;
    this.#options = options;
    this.#policy = policy;
  }

  async next(max: number): Promise<Chunk | undefined> {
    const input = this.#input;
    while (!this.#ended && (await input.load(max))) {
      const { mark } = input;
      const end = Math.min(input.column.length, input.index + max);
      const records = recordsOf(input.column.slice(input.index, end), RAW, 'csv');
      const source = records.slab(0).source as CutFrames;
      const layout = this.#layoutOf(source);
      if (layout === undefined) {
        input.index = end;
        continue;
      }
      const { rows, error } = layout.decode(
        source,
        Array.from({ length: records.length }, (_, index) => records.frame(index)),
      );
      input.index += rows.length;
      if (rows.length > 0) {
        return { column: new ArrayColumn(rows, records.slice(0, rows.length).places), mark };
      }
      // The first is wrong: those before it were given.
      if (error !== undefined) this.#resolve(error);
      input.index++;
    }
    return undefined;
  }

  close(): Promise<void> {
    return this.#input.close();
  }

  #layoutOf(source: CutFrames): CsvLayout | undefined {
    const { file } = source;
    if (file === this.#file) return this.#layout;
    this.#file = file;
    const layout = layoutOf(this.#options, source);
    this.#layout = layout instanceof TFRecordError ? undefined : layout;
    if (layout instanceof TFRecordError) this.#resolve(layout);
    return this.#layout;
  }

  #resolve(error: TFRecordError): void {
    if (this.#policy.resolve(error) === 'stop') this.#ended = true;
  }
}
