import { worded, type Bytes, type TFRecordError } from '../../base';
import type { CsvRowColumn, EncodedCsvRows, FeatureKind } from '../../example';
import type { RecordBatch } from '../../record';
import { encodeTable, newTable, type Table } from '../../table';
import { linesOf } from '../batches';
import type { ReadSettings, UnitBatch } from '../format';
import type { LineDecoder, LinePiece } from '../input/decoding-reader';
import type { Inputs } from '../input/inputs';
import { lineError, RowFault } from '../jsonl/parse-line';
import type { CsvColumns } from './csv-columns';
import { columnOf, FieldColumn, type FieldRule } from './field-columns';
import { separatorHint, type Header } from './header';
import { InputRows } from './input-rows';
import { floatOf } from './literals';
import { NativeRows, piecesOf } from './native-rows';
import { Rounding } from './rounding';
import type { Delimiter } from './row-splitter';
import { nameOf, placeOf } from './surveyed-columns';

/** The table of the columns that `rules` read. */
export function tableOf(rules: readonly FieldRule[]): Table {
  return newTable(rules.map(columnOf), false);
}

/** Makes an Example of each row after the header of its file. */
export class RowDecoder implements LineDecoder {
  readonly #rows: InputRows;
  readonly #columns: CsvColumns;
  readonly #rounding: Rounding;
  readonly #native: NativeRows;
  readonly #inputs: Inputs;
  #input = 0;
  /** The input whose header was read last. */
  #begun = -1;
  /** The columns of the file, by the index of the field. */
  #rules: readonly (FieldRule | undefined)[] = [];
  #table: Table = tableOf([]);
  /** The values of those columns in the rows of this batch; undefined before the first row. */
  #fields: (FieldColumn | undefined)[] | undefined;
  #most = 0;
  #count = 0;

  constructor(columns: CsvColumns, delimiter: Delimiter, inputs: Inputs, { csv, notes }: ReadSettings) {
    this.#columns = columns;
    this.#inputs = inputs;
    this.#native = new NativeRows(delimiter, csv);
    this.#rows = new InputRows(delimiter, csv.na, (header, input) => {
      const hint = csv.delimiter === undefined ? separatorHint(header) : undefined;
      if (hint !== undefined) notes.add(worded`The header of ${nameOf(inputs, input)} ${hint}`);
      this.#beginFile(header);
    });
    this.#rounding = new Rounding(csv.exact, () => placeOf(inputs, this.#input, this.#rows));
    notes.atEnd(() => this.#rounding.notes());
  }

  async *pieces(lines: UnitBatch): AsyncGenerator<LinePiece, undefined> {
    const { batch, input } = lines;
    let begin = 0;
    if (input !== this.#begun) {
      this.#begun = input;
      yield { lines: linesOf(lines, begin++, 1) };
    }
    this.#input = input;
    const file = this.#inputs.copyOf ?? batch.origin(0)!.file;
    for (const part of await this.#native.encode(linesOf(lines, begin), file)) {
      const { encoded } = part;
      if (encoded === undefined) {
        yield { lines: part.lines };
        continue;
      }
      const before = this.#rows.lines;
      this.#addRounded(part.lines, encoded);
      yield* piecesOf(part.lines, encoded, file, (count) => {
        this.#rows.moveTo(before + count);
      });
    }
    return undefined;
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

  close(): Promise<void> {
    return this.#native.close();
  }

  /** @throws RowFault if the header of a file does not match the columns */
  #beginFile(header: Header): void {
    const { names } = header;
    this.#columns.check(names);
    this.#rules = names.map((name) => this.#columns.rules.get(name));
    this.#table = tableOf(this.#rules.filter((rule) => rule !== undefined));
    this.#native.begin(
      this.#rules.map((rule) => columnFor(rule)),
      header,
    );
  }

  /** Adds the rounded numbers of rows that native code has encoded. */
  #addRounded({ batch, input }: UnitBatch, { rounded, roundings, lines }: EncodedCsvRows): void {
    const before = this.#rows.lines;
    for (const { row, column } of roundings) {
      this.#rows.moveTo(before + lines.before(row));
      this.#rows.take(batch.at(row)!, input);
      const { splitter } = this.#rows;
      const { bytes, starts, ends } = splitter.fields;
      const value = floatOf(bytes[column]!, starts[column]!, ends[column]!)!;
      this.#rounding.add(this.#rules[column]!.name, rounded[column]!, splitter.bytes(column).toString(), value);
    }
    this.#rows.moveTo(before);
  }
}

/** The column that native code reads by `rule`. Undefined: it skips the column. */
function columnFor(rule: FieldRule | undefined): CsvRowColumn {
  if (rule === undefined) return { name: '', kind: undefined, required: false, anyBytes: false };
  const { name, dtype, required, anyBytes } = rule;
  const kind: FeatureKind = dtype === 'int64' ? 'int64' : dtype === 'float32' ? 'float' : 'bytes';
  return { name, kind, required, anyBytes };
}
