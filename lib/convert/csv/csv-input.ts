/** Reads CSV and TSV: a row becomes an Example. */
import { invalidArgValue, type TFRecordError, type Bytes, worded } from '../../base';
import { encodeTable, newTable, type Table } from '../../table';
import type { Framing, RecordBatch } from '../../record';
import type { InputFormat, ReadSettings, UnitReader } from '../format';
import { copyRecords } from '../input/copy-input';
import { DecodingReader, forEachLine, type LineDecoder } from '../input/decoding-reader';
import { filesInput } from '../input/files-input';
import { FramedReader, silentPolicy } from '../input/framed-input';
import type { Inputs } from '../input/inputs';
import { lineError, RowFault } from '../jsonl/parse-line';
import { ColumnSurvey, columnsOfSpec, type CsvColumns } from './csv-columns';
import { columnOf, FieldColumn, type FieldRule } from './field-columns';
import { separatorHint } from './header';
import { InputRows } from './input-rows';
import { Rounding } from './rounding';
import { CSV_OPTIONS, RowSplitter, type Delimiter } from './row-splitter';

/** The format called `name`. `usual` separates fields, unless the caller sets another delimiter. */
export function csvInput(name: string, usual: Delimiter): InputFormat {
  const framing = ({ csv }: ReadSettings): Framing => new RowSplitter(csv.delimiter ?? usual).framing;
  const units = (inputs: Inputs, settings: ReadSettings): UnitReader =>
    new FramedReader(inputs, 0, settings, { framing: framing(settings), policy: silentPolicy(settings.policy) });
  return filesInput({
    uses: CSV_OPTIONS,
    readsTwice: ({ spec }) => spec === undefined,
    async copied(inputs, settings, path) {
      if (inputs.files.length > 1) {
        const expected = `files, or one stream alone: ${name} of each begins with a header`;
        throw invalidArgValue('input', expected, undefined);
      }
      return copyRecords(inputs, settings, path, framing(settings));
    },
    units,
    async prepared(inputs, settings, progress) {
      const { spec, choice } = settings;
      const delimiter = settings.csv.delimiter ?? usual;
      const columns =
        spec === undefined
          ? await survey(units(inputs, settings), inputs, settings, delimiter, progress)
          : columnsOfSpec(spec, choice);
      return {
        table: spec === undefined ? tableOf([...columns.rules.values()]) : undefined,
        open: (first, _number, own) =>
          new DecodingReader(inputs, first, own, framing(own), new RowDecoder(columns, delimiter, inputs, own)),
      };
    },
  });
}

function tableOf(rules: readonly FieldRule[]): Table {
  return newTable(rules.map(columnOf), false);
}

/** Finds the columns from all rows of `reader`. The second pass reports rows that cannot be read. */
async function survey(
  reader: UnitReader,
  inputs: Inputs,
  settings: ReadSettings,
  delimiter: Delimiter,
  progress: (bytes: number) => void,
): Promise<CsvColumns> {
  const { choice } = settings;
  const columns = new ColumnSurvey({ reads: (name) => choice.reads(name) });
  const rows = new InputRows(delimiter, settings.csv.na, (header, input) => {
    columns.begin(header, nameOf(inputs, input));
  });
  await forEachLine(reader, progress, (row, { batch, input, numbers }, i) => {
    try {
      if (rows.take(row, input)) columns.add(rows, row, () => placeOf(inputs, input, rows));
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      if (rows.header !== undefined && !settings.policy.alwaysThrows) return;
      throw lineError(error, inputs.copyOf ?? batch.origin(i)!.file, numbers + i, rows.line);
    }
  });
  const found = columns.finish();
  if (columns.names !== undefined) choice.checkAmong(new Set(columns.names));
  for (const note of columns.notes()) settings.notes.add(note);
  return found;
}

function nameOf({ files, copyOf }: Inputs, input: number): string {
  return copyOf ?? files[input]!.file;
}

/** File and line of the row that `rows` took last. */
function placeOf(inputs: Inputs, input: number, { line }: InputRows): string {
  return `line ${line + 1} of ${nameOf(inputs, input)}`;
}

/** Makes an Example of each row after the header of its file. */
class RowDecoder implements LineDecoder {
  readonly #rows: InputRows;
  readonly #columns: CsvColumns;
  readonly #rounding: Rounding;
  #input = 0;
  /** The columns of the file, by the index of the field. */
  #rules: readonly (FieldRule | undefined)[] = [];
  #table: Table = tableOf([]);
  /** The values of those columns in the rows of this batch; undefined before the first row. */
  #fields: (FieldColumn | undefined)[] | undefined;
  #most = 0;
  #count = 0;

  constructor(columns: CsvColumns, delimiter: Delimiter, inputs: Inputs, { csv, notes }: ReadSettings) {
    this.#columns = columns;
    this.#rows = new InputRows(delimiter, csv.na, (header, input) => {
      const hint = csv.delimiter === undefined ? separatorHint(header) : undefined;
      if (hint !== undefined) notes.add(worded`The header of ${nameOf(inputs, input)} ${hint}`);
      this.#beginFile(header.names);
    });
    this.#rounding = new Rounding(csv.exact, () => placeOf(inputs, this.#input, this.#rows));
    notes.atEnd(() => this.#rounding.notes());
  }

  begin(most: number): void {
    this.#fields = undefined;
    this.#most = most;
    this.#count = 0;
  }

  take(row: Bytes, input: number): boolean {
    this.#input = input;
    if (!this.#rows.take(row, input)) return false;
    const fields = (this.#fields ??= this.#rules.map((rule) => {
      return rule && new FieldColumn(rule, this.#most, this.#rounding);
    }));
    for (let field = 0; field < fields.length; field++) fields[field]?.take(this.#count, this.#rows, field);
    this.#count++;
    return true;
  }

  records(): RecordBatch {
    const { columns } = this.#table;
    const vectors = this.#fields!.filter((each) => each !== undefined).map((each, i) =>
      each.finish(columns[i]!, this.#count),
    );
    return encodeTable(this.#table, vectors, this.#count);
  }

  errorOf(error: unknown, file: string, number: number): TFRecordError {
    if (!(error instanceof RowFault)) throw error;
    const fault = lineError(error, file, number, this.#rows.line);
    if (this.#rows.header === undefined) throw fault;
    return fault;
  }

  /** @throws RowFault if the header of a file does not match the columns */
  #beginFile(names: readonly string[]): void {
    this.#columns.check(names);
    this.#rules = names.map((name) => this.#columns.rules.get(name));
    this.#table = tableOf(this.#rules.filter((rule) => rule !== undefined));
  }
}
