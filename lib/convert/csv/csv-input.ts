/** CSV and TSV in: a row becomes an Example. */
import type { TFRecordError } from '../../errors';
import { encodeTable, newTable, type Table } from '../../example';
import { LoopTurns, newBatch, partsOf, type Origin, type RecordBatch } from '../../record';
import type { Faults, InputFormat, InputReader, Portion, ReadSettings, RecordNumber } from '../format';
import { FramedReader, silentPolicy } from '../input/framed-input';
import type { Inputs } from '../input/inputs';
import { RowFault } from '../jsonl/parse-line';
import { ColumnSurvey, columnsOfSpec, type CsvColumns } from './csv-columns';
import { columnOf, FieldColumn, type FieldRule } from './field-columns';
import { InputRows, rowError } from './input-rows';
import { RowSplitter, type Delimiter } from './row-splitter';

/** Rows between two looks at the clock. */
const LOOK_ROWS = 16;

/** Reads rows whose fields `delimiter` separates. */
export function csvInput(delimiter: Delimiter): InputFormat {
  const { framing } = new RowSplitter(delimiter);
  const units: InputFormat['units'] = (inputs, settings) =>
    new FramedReader(inputs, 0, settings, { framing, policy: silentPolicy(settings.policy) });
  return {
    takesSpec: true,
    hasHeaders: true,
    readsTwice: ({ spec }) => spec === undefined,
    framing,
    units,
    async prepared(inputs, settings, progress) {
      const { spec } = settings;
      const columns =
        spec === undefined
          ? await survey(units(inputs, settings), inputs, settings, delimiter, progress)
          : columnsOfSpec(spec);
      return {
        table: spec === undefined ? tableOf([...columns.rules.values()]) : undefined,
        open: (first, _number, own = settings) => new RowReader(inputs, first, own, columns, delimiter),
      };
    },
  };
}

function tableOf(rules: readonly FieldRule[]): Table {
  return newTable(rules.map(columnOf), false);
}

/** Finds the columns in all rows of `reader`. Rows that cannot be read are left to the second pass. */
async function survey(
  reader: InputReader,
  inputs: Inputs,
  settings: ReadSettings,
  delimiter: Delimiter,
  progress: (bytes: number) => void,
): Promise<CsvColumns> {
  const columns = new ColumnSurvey();
  const rows = new InputRows(delimiter, (header) => {
    columns.begin(header);
  });
  const turns = new LoopTurns();
  try {
    for (let portion = await reader.next(); portion !== undefined; portion = await reader.next()) {
      const { batch, input, numbers } = portion;
      for (let i = 0; i < batch.length; i++) {
        const row = batch.at(i)!;
        if (i % LOOK_ROWS === 0) await turns.breathe();
        try {
          if (rows.take(row, input)) columns.add(rows, row);
        } catch (error) {
          if (!(error instanceof RowFault)) throw error;
          if (rows.header !== undefined && !settings.policy.alwaysThrows) continue;
          throw rowError(error, inputs.copyOf ?? batch.origin(i)!.file, (numbers as number) + i, rows.line);
        }
      }
      progress(reader.bytes);
    }
  } finally {
    await reader.close();
  }
  return columns.finish();
}

/** Gives the records of the rows of inputs. */
class RowReader implements InputReader {
  readonly #framed: FramedReader;
  readonly #rows: InputRows;
  readonly #columns: CsvColumns;
  readonly #faults: Faults;
  /** The name in errors of an input that is a copy. */
  readonly #copyOf: string | undefined;
  readonly #turns = new LoopTurns();
  /** The columns of the file, by the fields of its rows. */
  #rules: readonly (FieldRule | undefined)[] = [];
  #table: Table = tableOf([]);
  /** Rows behind a fault, from `at` on. */
  #rest: { readonly portion: Portion; readonly at: number } | undefined;
  /** The fault behind the records that were given last. */
  #fault: { readonly error: TFRecordError; readonly place: RecordNumber } | undefined;

  constructor(inputs: Inputs, first: number, settings: ReadSettings, columns: CsvColumns, delimiter: Delimiter) {
    this.#rows = new InputRows(delimiter, ({ names }) => {
      this.#begin(names);
    });
    this.#framed = new FramedReader(inputs, first, settings, { framing: this.#rows.splitter.framing });
    this.#columns = columns;
    this.#faults = settings.faults;
    this.#copyOf = inputs.copyOf;
  }

  get bytes(): number {
    return this.#framed.bytes;
  }

  async next(): Promise<Portion | undefined> {
    for (;;) {
      if (this.#fault !== undefined) {
        const { error, place } = this.#fault;
        this.#fault = undefined;
        this.#faults.leaveOut(error, place);
      }
      if (this.#faults.stopped) return undefined;
      const portion = this.#rest?.portion ?? (await this.#framed.next());
      if (portion === undefined) return undefined;
      const encoded = await this.#encoded(portion, this.#rest?.at ?? 0);
      if (encoded !== undefined) return encoded;
    }
  }

  close(): Promise<void> {
    return this.#framed.close();
  }

  /** The records of the rows from `begin` on, up to the first fault. */
  async #encoded(portion: Portion, begin: number): Promise<Portion | undefined> {
    const { batch, input, numbers } = portion;
    const first = numbers as number;
    const rows = this.#rows;
    let fields: (FieldColumn | undefined)[] | undefined;
    const given: number[] = [];
    this.#rest = undefined;
    for (let i = begin; i < batch.length; i++) {
      if (i % LOOK_ROWS === 0) await this.#turns.breathe();
      try {
        if (!rows.take(batch.at(i)!, input)) continue;
        fields ??= this.#rules.map((rule) => rule && new FieldColumn(rule, batch.length - i));
        for (let field = 0; field < fields.length; field++) fields[field]?.take(given.length, rows.splitter, field);
        given.push(first + i);
      } catch (error) {
        if (!(error instanceof RowFault)) throw error;
        const place = { input, number: first + i };
        const fault = rowError(error, this.#fileOf(batch, i), place.number, rows.line);
        if (rows.header === undefined) throw fault;
        this.#fault = { error: fault, place };
        this.#rest = { portion, at: i + 1 };
        break;
      }
    }
    if (fields === undefined || given.length === 0) return undefined;
    const { columns } = this.#table;
    const vectors = fields
      .filter((each) => each !== undefined)
      .map((each, i) => each.finish(columns[i]!, given.length));
    const records = encodeTable(this.#table, vectors, given.length);
    return { batch: placed(records, given, this.#fileOf(batch, 0)), input, numbers: Float64Array.from(given) };
  }

  /** Begins a file. @throws RowFault if its header does not fit */
  #begin(names: readonly string[]): void {
    this.#columns.check(names);
    this.#rules = names.map((name) => this.#columns.rules.get(name));
    this.#table = tableOf(this.#rules.filter((rule) => rule !== undefined));
  }

  #fileOf(batch: RecordBatch, i: number): string {
    return this.#copyOf ?? batch.origin(i)!.file;
  }
}

/** The records of `batch`, each from the row of that number. */
function placed(batch: RecordBatch, numbers: readonly number[], file: string): RecordBatch {
  const { source } = partsOf(batch);
  const { frames } = source;
  const origins = (frame: number): Origin => ({
    file,
    record: numbers[frame]!,
    offset: frames[2 * frame]!,
    bytes: frames[2 * frame + 1]!,
  });
  return newBatch({ ...source, file, origins }, 0, batch.length);
}
