import { counted, messageOf, named, TFRecordError, tfrecordError, worded, type Origin } from '../../base';
import {
  decodeRecords,
  Fields,
  MAX_HEADER_FIELDS,
  splitRecord,
  type CheckedCsvOptions,
  type CsvDType,
  type CsvRecords,
  type CsvRules,
  type CsvValues,
  type CsvWording,
} from '../../decode';
import { frameOrigin, type BatchFrames } from '../../record';
import { setFeature, storeFeature } from '../../tensor';

// A local constant, because a name imported through index.ts is a getter, which is slow for each row.
const store = storeFeature;

/** One column of the rows. */
export interface CsvStageColumn {
  readonly name: string;
  readonly dtype: CsvDType;
  /** True if its bytes are decoded to text. */
  readonly text: boolean;
}

/** Settings for decoding rows. */
export interface CsvSettings {
  readonly columns: readonly CsvStageColumn[];
  /** The rules of all columns, in their order. */
  readonly rules: CheckedCsvOptions;
  readonly header: boolean;
}

/** The rows before the first one that cannot be decoded, and the error of that row. */
interface DecodedRows {
  readonly rows: readonly unknown[];
  readonly error: TFRecordError | undefined;
}

/** Maps the columns to the fields in the records of one file. */
export class CsvLayout {
  /** In the order of the fields. */
  readonly #columns: readonly CsvStageColumn[];
  readonly #names: readonly string[];
  readonly #rules: CsvRules;
  /** The names of the fields. */
  readonly #header: readonly string[];

  /** `head` is the header record of `file`. @throws TFRecordError TFR_DECODE if it lacks a column */
  constructor({ columns, rules, header }: CsvSettings, head: Uint8Array | undefined, file: string) {
    this.#names = columns.map(({ name }) => name);
    if (!header || head === undefined) {
      this.#columns = columns;
      this.#rules = { ...rules, columns: columns.map((column, i) => ruleOf(column, rules.columns[i]!)) };
      this.#header = this.#names;
      return;
    }
    this.#header = headerOf(head, rules, file);
    const fields = columns.map((column, i) => ({ column, i, field: fieldOf(column.name, this.#header, file) }));
    fields.sort((a, b) => a.field - b.field);
    this.#columns = fields.map(({ column }) => column);
    this.#rules = {
      ...rules,
      columns: fields.map(({ column, i }) => ruleOf(column, rules.columns[i]!)),
      // Without a selection, a record with more fields is an error.
      selected: fields.length === this.#header.length ? undefined : fields.map(({ field }) => field),
    };
  }

  /** Decodes the frames `frames` of `source`. */
  decode(source: BatchFrames, frames: readonly number[]): DecodedRows {
    const originOf = (record: number): Origin => frameOrigin(source, frames[record]!);
    try {
      return { rows: this.#rows(recordsAt(source, frames), originOf), error: undefined };
    } catch (cause) {
      if (!(cause instanceof TFRecordError) || cause.code !== 'TFR_DECODE') throw cause;
      const index = cause.record!;
      const { file, record, offset } = originOf(index);
      const { expected, found } = cause;
      const error = tfrecordError(cause.code, messageOf(cause), { file, record, offset, expected, found });
      const before = recordsAt(source, frames.slice(0, index));
      return { rows: index === 0 ? [] : this.#rows(before, originOf), error };
    }
  }

  #rows(records: CsvRecords, originOf: (record: number) => Origin): unknown[] {
    const wording: CsvWording = {
      where: (record, field) => {
        const origin = originOf(record);
        const name = field === undefined ? undefined : this.#header[field];
        const of =
          field === undefined ? '' : `, field ${field}${name === undefined ? '' : ` (${JSON.stringify(name)})`}`;
        return `Record ${origin.record} of ${origin.file}, at byte ${origin.offset}${of}`;
      },
      advice: (column) =>
        worded`${named('columns', 'options.columns')} may give ${JSON.stringify(this.#columns[column]?.name)} a default.`,
    };
    const decoded = decodeRecords(records, this.#rules, wording);
    const columns = this.#names.map((name): RowColumn => ({
      name,
      inherited: name in Object.prototype,
      values: decoded[this.#columns.findIndex((column) => column.name === name)]!,
    }));
    return Array.from({ length: records.length }, (_, row) => rowOf(columns, row));
  }
}

interface RowColumn {
  readonly name: string;
  /** True if objects inherit a property of that name. */
  readonly inherited: boolean;
  readonly values: CsvValues;
}

/** Returns row `row` as an object with own properties, also for names such as `__proto__`. */
function rowOf(columns: readonly RowColumn[], row: number): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i++) {
    const { name, inherited, values } = columns[i]!;
    const value = 'offsets' in values ? values.at(row) : values[row];
    if (inherited) setFeature(made, name, value);
    else store(made, i, name, value);
  }
  return made;
}

function ruleOf({ text }: CsvStageColumn, rule: CheckedCsvOptions['columns'][number]): CsvRules['columns'][number] {
  return text ? { ...rule, dtype: 'text' } : rule;
}

function recordsAt({ slab, frames }: BatchFrames, records: readonly number[]): CsvRecords {
  return {
    length: records.length,
    bytes: () => slab,
    begin: (i) => frames[2 * records[i]!]!,
    end: (i) => frames[2 * records[i]!]! + frames[2 * records[i]! + 1]!,
  };
}

function headerOf(head: Uint8Array, rules: CheckedCsvOptions, file: string): string[] {
  const fields = new Fields(MAX_HEADER_FIELDS);
  const fault = splitRecord(head, 0, head.length, { ...rules, selected: undefined }, fields);
  if (fault !== undefined) throw headerError(file, `${fault.expected} in field ${fault.field}`, fault.found);
  if (fields.count > MAX_HEADER_FIELDS) {
    throw headerError(file, `at most ${counted(MAX_HEADER_FIELDS, 'column')}`, counted(fields.count, 'column'));
  }
  return fields.bytes.map((bytes, i) => Buffer.from(bytes.subarray(fields.starts[i], fields.ends[i])).toString());
}

function fieldOf(name: string, header: readonly string[], file: string): number {
  const field = header.indexOf(name);
  const expected = `one column ${JSON.stringify(name)}`;
  if (field < 0)
    throw headerError(file, expected, `the columns ${header.map((other) => JSON.stringify(other)).join(', ')}`);
  if (header.includes(name, field + 1)) throw headerError(file, expected, 'more than one');
  return field;
}

function headerError(file: string, expected: string, found: string): TFRecordError {
  return new TFRecordError(
    'TFR_DECODE',
    `The header of ${file}: expected ${expected}, found ${found}. header: false reads files without one.`,
    { file, record: 0, offset: 0, expected, found },
  );
}
