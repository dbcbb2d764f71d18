/** Finds the columns of CSV from the fields of all rows, if no spec gives them. */
import { LoopTurns } from '../../base';
import type { SurveyedCsvRows } from '../../example';
import { linesOf } from '../batches';
import type { ReadSettings, UnitBatch, UnitReader } from '../format';
import type { Inputs } from '../input/inputs';
import type { SurveyedLines } from '../input/surveyed-lines';
import { lineError, RowFault } from '../jsonl/parse-line';
import { ColumnSurvey, type CsvColumns } from './csv-columns';
import { InputRows } from './input-rows';
import { NativeRows } from './native-rows';
import type { Delimiter } from './row-splitter';

/** Number of rows that JavaScript reads between two checks of the clock. */
const LOOK_ROWS = 16;

/** One pass over all rows. The second pass reports rows that cannot be read. */
export class CsvSurvey {
  readonly #inputs: Inputs;
  readonly #settings: ReadSettings;
  readonly #columns: ColumnSurvey;
  readonly #rows: InputRows;
  readonly #native: NativeRows;
  readonly #turns = new LoopTurns();
  #input = -1;

  constructor(inputs: Inputs, settings: ReadSettings, delimiter: Delimiter) {
    const { choice, csv } = settings;
    this.#inputs = inputs;
    this.#settings = settings;
    this.#columns = new ColumnSurvey({ reads: (name) => choice.reads(name) });
    this.#native = new NativeRows(delimiter, csv);
    this.#rows = new InputRows(delimiter, csv.na, (header, input) => {
      this.#columns.begin(header, nameOf(inputs, input));
      this.#native.begin(this.#columns.forRows(header), header);
    });
  }

  /**
   * Reads all rows of `reader`, and adds their numbers to `lines`. `progress` is called with the stored bytes that were read so
   * far.
   */
  async run(reader: UnitReader, lines: SurveyedLines, progress: (bytes: number) => void): Promise<CsvColumns> {
    const { choice, notes } = this.#settings;
    try {
      for (let portion = await reader.next(); portion !== undefined; portion = await reader.next()) {
        lines.add(portion);
        await this.#add(portion);
        progress(reader.bytes);
      }
    } finally {
      await this.#native.close();
      await reader.close();
    }
    const found = this.#columns.finish();
    if (this.#columns.names !== undefined) choice.checkAmong(new Set(this.#columns.names));
    for (const note of this.#columns.notes()) notes.add(note);
    return found;
  }

  async #add(portion: UnitBatch): Promise<void> {
    let begin = 0;
    if (portion.input !== this.#input) {
      this.#input = portion.input;
      this.#addRow(portion, begin++);
    }
    for (const { lines, surveyed } of await this.#native.survey(linesOf(portion, begin))) {
      if (surveyed !== undefined) {
        await this.#addPart(lines, surveyed);
        continue;
      }
      for (let i = 0; i < lines.batch.length; i++) {
        if (i % LOOK_ROWS === 0) await this.#turns.breathe();
        this.#addRow(lines, i);
      }
    }
    await this.#turns.breathe();
  }

  /** Adds rows that native code has read, and those that it refused. */
  async #addPart(part: UnitBatch, { columns, firsts, refused, lines }: SurveyedCsvRows): Promise<void> {
    const before = this.#rows.lines;
    this.#columns.addFields(columns);
    let first = 0;
    const addFirsts = (end: number): void => {
      for (; first < firsts.length && firsts[first]!.row < end; first++) {
        const { row, column, kind } = firsts[first]!;
        if (!this.#columns.lacksFirst(column, kind)) continue;
        this.#rows.moveTo(before + lines.before(row));
        this.#rows.take(part.batch.at(row)!, part.input);
        this.#columns.addFirst(this.#rows, column, kind, placeOf(this.#inputs, part.input, this.#rows));
      }
    };
    for (let i = 0; i < refused.length; i++) {
      if (i % LOOK_ROWS === 0) await this.#turns.breathe();
      const row = refused[i]!;
      addFirsts(row);
      this.#rows.moveTo(before + lines.before(row));
      this.#addRow(part, row);
    }
    addFirsts(part.batch.length);
    this.#rows.moveTo(before + lines.before(part.batch.length));
  }

  /** Adds the next row, which is row `i` of `lines`. */
  #addRow({ batch, input, numbers }: UnitBatch, i: number): void {
    const row = batch.at(i)!;
    const rows = this.#rows;
    try {
      if (rows.take(row, input)) this.#columns.add(rows, row, () => placeOf(this.#inputs, input, rows));
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      if (rows.header !== undefined && !this.#settings.policy.alwaysThrows) return;
      throw lineError(error, this.#inputs.copyOf ?? batch.origin(i)!.file, numbers + i, rows.line);
    }
  }
}

/** The name of input `input` in errors. */
export function nameOf({ files, copyOf }: Inputs, input: number): string {
  return copyOf ?? files[input]!.file;
}

/** File and line of the row that `rows` took last. */
export function placeOf(inputs: Inputs, input: number, { line }: InputRows): string {
  return `line ${line + 1} of ${nameOf(inputs, input)}`;
}
