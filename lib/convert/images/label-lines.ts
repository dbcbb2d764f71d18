/** Parses the lines of a file of labels: CSV or JSON Lines, both also by a spec. */
import { counted, invalidArgValue, type Bytes, worded, type Text } from '../../base';
import { parseInt64 } from '../../decode';
import type { FeatureKind } from '../../example';
import { LINES, type Framing } from '../../record';
import { tableOfPlan, type TableColumn } from '../../table';
import { sizeOf, storedDType } from '../../tensor';
import { ColumnSurvey } from '../csv/csv-columns';
import { separatorHint, type Header } from '../csv/header';
import { InputRows } from '../csv/input-rows';
import { floatOf } from '../csv/literals';
import type { Rounding } from '../csv/rounding';
import { CSV_OPTIONS, type Delimiter } from '../csv/row-splitter';
import type { CsvSettings, InputOption, ReadSettings, RowSpec } from '../format';
import { featureOf } from '../jsonl/encode-row';
import { digitsNotes, Kinds } from '../jsonl/kinds';
import { isBlank, parseRow, RowFault, type RowValues } from '../jsonl/parse-line';

/** Names of the member, or column, with the path of the picture. The first one present is used. */
const FILE_NAMES = ['file', 'filename', 'file_name', 'image'];
/** Name of the member, or column, with the class. */
export const LABEL = 'label';
/** Matches the names of features that every picture has. */
export const PICTURE_FEATURE = /^image\/(?:encoded|format|width|height|filename|class\/(?:text|label))$/;

/** A line of a file of labels. */
export interface LabelRow {
  readonly file: string;
  /** The values by name, without that of the file, missing values, and values that nobody reads. */
  readonly values: ReadonlyMap<string, RowValues>;
}

/** Parses lines. Kinds are those of the values in all lines that were passed to `add`. */
export interface LabelLines {
  readonly framing: Framing;
  /** Parses a line. Undefined for a blank line or a header. @throws RowFault */
  rowOf(line: Bytes): LabelRow | undefined;
  /**
   * Number of the line, from 0, where row `number` begins. `number`: the row that {@link LabelLines.rowOf} parsed last.
   */
  lineOf(number: number): number;
  /** Records the kinds of the values in `row`, which was just parsed from `line`. @throws RowFault */
  add(row: LabelRow, line: Bytes): void;
  /** The kind of the values in all lines. */
  kindOf(name: string): FeatureKind | undefined;
  /**
   * The values of feature `name`, converted to `kind`. `rounding` checks the numbers of CSV that become float32;
   * undefined skips the check. @throws RowFault
   */
  typed(name: string, values: RowValues, kind: FeatureKind, rounding: Rounding | undefined): RowValues;
  /** Notes about the values, after all lines were added. */
  notes(): readonly Text[];
}

/** Settings for parsing lines. */
export type LabelSettings = Pick<ReadSettings, 'spec' | 'csv' | 'choice'>;

/**
 * Returns the parser for `file`, by its extension. @throws TypeError for an unknown extension, or a spec of
 * SequenceExamples
 */
export function labelLines(file: string, { spec, csv, choice }: LabelSettings): LabelLines {
  // The label becomes a feature of another name, so the choice does not apply to it.
  const reads = (name: string): boolean => name === LABEL || choice.reads(name);
  const columns = spec === undefined ? new Map<string, TableColumn>() : columnsOf(spec, reads);
  const lines = linesOf(file, csv, columns, reads);
  return spec === undefined ? lines : new SpecLines(lines, columns);
}

/** The options of `convert` that apply to a file of labels, by its extension. */
export function labelOptions(file: string): readonly InputOption[] {
  const format = labelFormatOf(file);
  return format === 'csv' || format === 'tsv' ? CSV_OPTIONS : [];
}

/** The format of a file of labels, by its extension; undefined for an unknown one. */
function labelFormatOf(file: string): 'csv' | 'tsv' | 'jsonl' | undefined {
  const [, extension] = /\.(csv|tsv|jsonl|ndjson)(?:\.gz)?$/i.exec(file) ?? [];
  const name = extension?.toLowerCase();
  return name === 'csv' || name === 'tsv' ? name : name === undefined ? undefined : 'jsonl';
}

function linesOf(
  file: string,
  csv: CsvSettings,
  columns: ReadonlyMap<string, TableColumn>,
  reads: (name: string) => boolean,
): LabelLines {
  const format = labelFormatOf(file);
  if (format === undefined) {
    throw invalidArgValue('options.labels', 'a file of CSV (.csv, .tsv) or JSON Lines (.jsonl, .ndjson)', file);
  }
  if (format === 'jsonl') return new JsonLines(reads);
  return new CsvLines(file, csv.delimiter ?? (format === 'csv' ? ',' : '\t'), csv.na, columns, reads);
}

/** Parses rows like the format `jsonl`. */
class JsonLines implements LabelLines {
  readonly framing = LINES;
  readonly #kinds = new Kinds('text');
  readonly #reads: (name: string) => boolean;

  constructor(reads: (name: string) => boolean) {
    this.#reads = reads;
  }

  rowOf(line: Bytes): LabelRow | undefined {
    if (isBlank(line)) return undefined;
    const { features, lists } = parseRow(line, (name) => FILE_NAMES.includes(name) || this.#reads(name));
    if (lists !== undefined) throw new RowFault('TFR_FEATURE', 'it has feature lists, and pictures have none');
    const values = new Map(features);
    const name = FILE_NAMES.find((each) => values.has(each));
    const [file] = (name === undefined ? undefined : values.get(name)) ?? [];
    if (typeof file !== 'string') {
      throw new RowFault('TFR_FEATURE', `it has no member with the path of a picture: ${FILE_NAMES.join(', ')}`);
    }
    values.delete(name!);
    for (const [key, value] of values) if (value === null || !this.#reads(key)) values.delete(key);
    return { file, values };
  }

  lineOf(number: number): number {
    return number;
  }

  add({ values }: LabelRow): void {
    for (const [name, list] of values) {
      this.#kinds.add(name, list);
      // Throws for numbers beyond float32.
      if (list?.some((value) => typeof value === 'number') === true) featureOf(name, list, 'float');
    }
  }

  kindOf(name: string): FeatureKind | undefined {
    return this.#kinds.of(name);
  }

  typed(_name: string, values: RowValues): RowValues {
    return values;
  }

  notes(): readonly Text[] {
    return digitsNotes(this.#kinds.ofDigits.filter((name) => name !== LABEL));
  }
}

/** Parses CSV with a header, like the format `csv`, except that an empty field in quotes is a missing value. */
class CsvLines implements LabelLines {
  readonly framing: Framing;
  readonly #rows: InputRows;
  readonly #survey: ColumnSurvey;
  readonly #file: string;
  readonly #spec: ReadonlyMap<string, TableColumn>;
  readonly #reads: (name: string) => boolean;
  #fileColumn = 0;
  /** Columns that are read. */
  #columns: readonly { readonly i: number; readonly name: string; readonly isNumber: boolean }[] = [];

  /** `spec`: the columns with known types, for which values need not be surveyed. */
  constructor(
    file: string,
    delimiter: Delimiter,
    na: readonly string[],
    spec: ReadonlyMap<string, TableColumn>,
    reads: (name: string) => boolean,
  ) {
    const begin = (header: Header): void => {
      this.#begin(header);
    };
    this.#file = file;
    this.#spec = spec;
    this.#reads = reads;
    this.#rows = new InputRows(delimiter, na, begin, false);
    this.#survey = new ColumnSurvey({
      reads: (name) => this.#columns.some((column) => column.name === name) && !spec.has(name),
      areNames: (name) => name === LABEL,
    });
    this.framing = this.#rows.splitter.framing;
  }

  rowOf(line: Bytes): LabelRow | undefined {
    const rows = this.#rows;
    if (isBlank(line)) {
      rows.skip(line, 0);
      return undefined;
    }
    if (!rows.take(line, 0)) return undefined;
    const values = new Map<string, RowValues>();
    for (const { i, name, isNumber } of this.#columns) {
      if (!rows.isMissing(i, isNumber)) values.set(name, [Buffer.from(rows.splitter.bytes(i))]);
    }
    return { file: rows.splitter.bytes(this.#fileColumn).toString(), values };
  }

  lineOf(): number {
    return this.#rows.line;
  }

  add(_row: LabelRow, line: Bytes): void {
    this.#survey.add(this.#rows, line, () => `line ${this.#rows.line + 1} of ${this.#file}`);
  }

  kindOf(name: string): FeatureKind | undefined {
    return this.#survey.kindOf(name);
  }

  typed(name: string, values: RowValues, kind: FeatureKind, rounding: Rounding | undefined): RowValues {
    const [text] = values as readonly Buffer[];
    if (kind === 'int64') return [BigInt(text!.toString())];
    return kind === 'bytes' ? values : [floatWord(name, text!, rounding)!];
  }

  notes(): readonly Text[] {
    return this.#survey.notes();
  }

  #begin(header: Header): void {
    const { names } = header;
    const name = FILE_NAMES.find((each) => names.includes(each));
    if (name === undefined) {
      const hint = separatorHint(header);
      const more = hint === undefined ? undefined : worded`; it ${hint}`;
      throw new RowFault(
        'TFR_FEATURE',
        worded`the header has no column with the path: ${FILE_NAMES.join(', ')}${more}`,
      );
    }
    this.#fileColumn = names.indexOf(name);
    this.#columns = [...names.entries()]
      .filter(([i, each]) => i !== this.#fileColumn && this.#reads(each))
      .map(([i, each]) => ({ i, name: each, isNumber: this.#isNumber(each) }));
    this.#survey.begin(header, this.#file);
  }

  #isNumber(name: string): boolean {
    const column = this.#spec.get(name);
    return column !== undefined && storedDType(column.dtype) !== 'bytes';
  }
}

const KINDS = { int64: 'int64', float32: 'float', bytes: 'bytes' } as const;

/** The columns of `spec` that are read. @throws TypeError for a spec of SequenceExamples */
function columnsOf({ plan, features }: RowSpec, reads: (name: string) => boolean): Map<string, TableColumn> {
  if (features === undefined) {
    throw invalidArgValue('options.spec', 'a spec of Examples: pictures have no feature lists', undefined);
  }
  const columns = tableOfPlan(plan).columns.filter(({ key }) => reads(key));
  return new Map(columns.map((column) => [column.key, column]));
}

/** Parses lines by a spec. Features outside the spec keep the kinds of `lines`. */
class SpecLines implements LabelLines {
  readonly framing: Framing;
  readonly #lines: LabelLines;
  readonly #columns: ReadonlyMap<string, TableColumn>;

  constructor(lines: LabelLines, columns: ReadonlyMap<string, TableColumn>) {
    this.#lines = lines;
    this.framing = lines.framing;
    this.#columns = columns;
  }

  rowOf(line: Bytes): LabelRow | undefined {
    const row = this.#lines.rowOf(line);
    if (row === undefined) return undefined;
    for (const [name, { nullable, fallback }] of this.#columns) {
      if (nullable || fallback !== undefined || PICTURE_FEATURE.test(name) || row.values.has(name)) continue;
      const message = `feature ${JSON.stringify(name)} has no value, and the spec requires one`;
      throw new RowFault('TFR_FEATURE', message, name, 'a value', 'none');
    }
    return row;
  }

  lineOf(number: number): number {
    return this.#lines.lineOf(number);
  }

  add(row: LabelRow, line: Bytes): void {
    const others = new Map<string, RowValues>();
    for (const [name, values] of row.values) {
      const kind = this.#kindOf(name);
      if (kind === undefined) others.set(name, values);
      else this.typed(name, values, kind, undefined);
    }
    this.#lines.add({ ...row, values: others }, line);
  }

  kindOf(name: string): FeatureKind | undefined {
    return this.#kindOf(name) ?? this.#lines.kindOf(name);
  }

  typed(name: string, values: RowValues, kind: FeatureKind, rounding: Rounding | undefined): RowValues {
    const column = this.#columns.get(name);
    if (column === undefined || values === null) return this.#lines.typed(name, values, kind, rounding);
    const { shape } = column;
    if (shape !== undefined && values.length !== sizeOf(shape))
      throw unfit(name, counted(sizeOf(shape), 'value'), `${values.length}`);
    return values.map((value) => {
      const made = valueOf(name, value, kind, rounding);
      if (made === undefined) throw unfit(name, column.dtype, shown(value));
      return made;
    });
  }

  notes(): readonly Text[] {
    return this.#lines.notes();
  }

  #kindOf(name: string): FeatureKind | undefined {
    const column = this.#columns.get(name);
    return column && KINDS[storedDType(column.dtype)];
  }
}

/** Returns `value` converted to `kind`; undefined if it cannot be. */
function valueOf(name: string, value: unknown, kind: FeatureKind, rounding: Rounding | undefined): unknown {
  if (kind === 'bytes') return typeof value === 'string' || value instanceof Uint8Array ? value : undefined;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return kind === 'float' ? value : undefined;
  const text = Buffer.from(value as string);
  return kind === 'int64' ? parseInt64(text, 0, text.length) : floatWord(name, text, rounding);
}

/** The float32 in `text`, or its word if JSON has no number for it; else undefined. @throws RowFault */
function floatWord(name: string, text: Buffer, rounding: Rounding | undefined): number | string | undefined {
  const number = floatOf(text, 0, text.length);
  if (number === undefined) return undefined;
  rounding?.take(name, text, 0, text.length, number);
  return Number.isFinite(number) ? number : String(number);
}

function shown(value: unknown): string {
  return value instanceof Uint8Array ? JSON.stringify(Buffer.from(value).toString()) : JSON.stringify(String(value));
}

function unfit(name: string, expected: string, found: string): RowFault {
  const message = `feature ${JSON.stringify(name)} is ${found}; expected ${expected}, as the spec requires`;
  return new RowFault('TFR_FEATURE', message, name, expected, found);
}
