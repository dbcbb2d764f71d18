/** The lines of a file of labels, as values: CSV, JSON Lines, and either by a spec. */
import { parseInt64 } from '../../decode';
import { invalidArgValue } from '../../errors';
import { tableOfPlan, type FeatureKind, type TableColumn } from '../../example';
import { LINES, type Bytes, type Framing } from '../../record';
import { sizeOf, storedDType } from '../../tensor';
import { readHeader, type Header } from '../csv/header';
import { floatOf, literalKind, widened } from '../csv/literals';
import { RowSplitter, type Delimiter } from '../csv/row-splitter';
import type { RowSpec } from '../format';
import { featureOf } from '../jsonl/encode-row';
import { Kinds } from '../jsonl/kinds';
import { parseRow, RowFault, type RowValues } from '../jsonl/parse-line';

/** Names of the member, or column, with the path of the picture. The first of them that is there counts. */
const FILE_NAMES = ['file', 'filename', 'file_name', 'image'];
/** Names of features that every picture has. */
export const PICTURE_FEATURE = /^image\/(?:encoded|format|width|height|filename|class\/(?:text|label))$/;
/** A line of a file of labels. */
export interface LabelRow {
  readonly file: string;
  /** The values by their names, without that of the file. Missing ones are left out. */
  readonly values: ReadonlyMap<string, RowValues>;
}

/** Cuts lines into values. */
export interface LabelLines {
  readonly framing: Framing;
  /** The row of a line. Undefined for lines without one. @throws RowFault */
  rowOf(line: Bytes): LabelRow | undefined;
  /** Notes the kinds of values. @throws RowFault */
  add(name: string, values: RowValues): void;
  /** The kind that the values of all lines have. */
  kindOf(name: string): FeatureKind | undefined;
  /** The values of feature `name`, of kind `kind`. @throws RowFault */
  typed(name: string, values: RowValues, kind: FeatureKind): RowValues;
}

/** The lines of `file`, by its extension. @throws TypeError for another extension, and for a spec of SequenceExamples */
export function labelLines(file: string, spec: RowSpec | undefined): LabelLines {
  const lines = linesOf(file);
  return spec === undefined ? lines : new SpecLines(lines, spec);
}

function linesOf(file: string): LabelLines {
  const [, extension] = /\.(csv|tsv|jsonl|ndjson)(?:\.gz)?$/i.exec(file) ?? [];
  switch (extension?.toLowerCase()) {
    case 'csv':
      return new CsvLines(',');
    case 'tsv':
      return new CsvLines('\t');
    case 'jsonl':
    case 'ndjson':
      return new JsonLines();
    default:
      throw invalidArgValue('options.labels', 'a file of CSV (.csv, .tsv) or JSON Lines (.jsonl, .ndjson)', file);
  }
}

/** Rows as `jsonl` has them. */
class JsonLines implements LabelLines {
  readonly framing = LINES;
  readonly #kinds = new Kinds('text');

  rowOf(line: Bytes): LabelRow {
    const { features, lists } = parseRow(line);
    if (lists !== undefined) throw new RowFault('TFR_FEATURE', 'it has feature lists, and pictures have none');
    const values = new Map(features);
    const name = FILE_NAMES.find((each) => values.has(each));
    const [file] = (name === undefined ? undefined : values.get(name)) ?? [];
    if (typeof file !== 'string') {
      throw new RowFault('TFR_FEATURE', `it has no path of a picture, in a member ${FILE_NAMES.join(', ')}`);
    }
    values.delete(name!);
    for (const [key, value] of values) if (value === null) values.delete(key);
    return { file, values };
  }

  add(name: string, values: RowValues): void {
    this.#kinds.add(name, values);
    // Says what is beyond float32.
    if (values?.some((value) => typeof value === 'number') === true) featureOf(name, values, 'float');
  }

  kindOf(name: string): FeatureKind | undefined {
    return this.#kinds.of(name);
  }

  typed(_name: string, values: RowValues): RowValues {
    return values;
  }
}

/** Rows of CSV after a header, with the kinds of columns that `convert` gives CSV. An empty field is missing, with quotes too. */
class CsvLines implements LabelLines {
  readonly framing: Framing;
  readonly #delimiter: Delimiter;
  readonly #splitter: RowSplitter;
  readonly #kinds = new Map<string, FeatureKind>();
  /** The kinds of the fields of the last row. */
  readonly #ofRow = new Map<string, FeatureKind>();
  #header: Header | undefined;
  #fileColumn = 0;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter;
    this.#splitter = new RowSplitter(delimiter);
    this.framing = this.#splitter.framing;
  }

  rowOf(line: Bytes): LabelRow | undefined {
    const splitter = this.#splitter;
    if (this.#header === undefined) {
      this.#begin(readHeader(line, splitter, this.#delimiter));
      return undefined;
    }
    const { names, quotesCount } = this.#header;
    splitter.split(line);
    if (splitter.count !== names.length) {
      throw new RowFault('TFR_DECODE', `it has ${splitter.count} fields, but the header has ${names.length}`);
    }
    const values = new Map<string, RowValues>();
    for (const [i, name] of names.entries()) {
      if (i === this.#fileColumn || splitter.isEmpty(i)) continue;
      const text = Buffer.from(splitter.bytes(i));
      values.set(name, [text]);
      const isText = quotesCount && splitter.isQuoted(i);
      this.#ofRow.set(name, isText ? 'bytes' : literalKind(text, 0, text.length));
    }
    return { file: splitter.bytes(this.#fileColumn).toString(), values };
  }

  add(name: string): void {
    this.#kinds.set(name, widened(this.#kinds.get(name), this.#ofRow.get(name)!));
  }

  kindOf(name: string): FeatureKind | undefined {
    return this.#kinds.get(name);
  }

  typed(_name: string, values: RowValues, kind: FeatureKind): RowValues {
    const [text] = values as readonly Buffer[];
    if (kind === 'int64') return [BigInt(text!.toString())];
    if (kind === 'bytes') return values;
    const number = floatOf(text!, 0, text!.length)!;
    return [Number.isFinite(number) ? number : String(number)];
  }

  #begin(header: Header): void {
    const name = FILE_NAMES.find((each) => header.names.includes(each));
    if (name === undefined) {
      throw new RowFault('TFR_FEATURE', `the header has no column with the path: ${FILE_NAMES.join(', ')}`);
    }
    this.#fileColumn = header.names.indexOf(name);
    this.#header = header;
  }
}

const KINDS = { int64: 'int64', float32: 'float', bytes: 'bytes' } as const;

/** Lines whose values have the kinds that a spec names. Values that it does not name have those of `lines`. */
class SpecLines implements LabelLines {
  readonly framing: Framing;
  readonly #lines: LabelLines;
  readonly #columns: ReadonlyMap<string, TableColumn>;

  constructor(lines: LabelLines, { plan, features }: RowSpec) {
    if (features === undefined) {
      throw invalidArgValue('options.spec', 'a spec of Examples: pictures have no feature lists', undefined);
    }
    this.#lines = lines;
    this.framing = lines.framing;
    this.#columns = new Map(tableOfPlan(plan).columns.map((column) => [column.key, column]));
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

  add(name: string, values: RowValues): void {
    const kind = this.#kindOf(name);
    if (kind === undefined) this.#lines.add(name, values);
    else this.typed(name, values, kind);
  }

  kindOf(name: string): FeatureKind | undefined {
    return this.#kindOf(name) ?? this.#lines.kindOf(name);
  }

  typed(name: string, values: RowValues, kind: FeatureKind): RowValues {
    const column = this.#columns.get(name);
    if (column === undefined || values === null) return this.#lines.typed(name, values, kind);
    const { shape } = column;
    if (shape !== undefined && values.length !== sizeOf(shape))
      throw unfit(name, `${sizeOf(shape)} values`, `${values.length}`);
    return values.map((value) => {
      const made = valueOf(value, kind);
      if (made === undefined) throw unfit(name, column.dtype, shown(value));
      return made;
    });
  }

  #kindOf(name: string): FeatureKind | undefined {
    const column = this.#columns.get(name);
    return column && KINDS[storedDType(column.dtype)];
  }
}

/** Returns `value` as one of `kind`, or undefined if it is not one. */
function valueOf(value: unknown, kind: FeatureKind): unknown {
  if (kind === 'bytes') return typeof value === 'string' || value instanceof Uint8Array ? value : undefined;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return kind === 'float' ? value : undefined;
  const text = Buffer.from(value as string);
  if (kind === 'int64') return parseInt64(text, 0, text.length);
  const number = floatOf(text, 0, text.length);
  return number === undefined || Number.isFinite(number) ? number : String(number);
}

function shown(value: unknown): string {
  return value instanceof Uint8Array ? JSON.stringify(Buffer.from(value).toString()) : JSON.stringify(String(value));
}

function unfit(name: string, expected: string, found: string): RowFault {
  const message = `feature ${JSON.stringify(name)} is ${found}; expected ${expected}, as the spec says`;
  return new RowFault('TFR_FEATURE', message, name, expected, found);
}
