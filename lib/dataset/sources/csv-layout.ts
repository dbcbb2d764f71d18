import {
  decodeRecords,
  Fields,
  splitRecord,
  type CheckedCsvOptions,
  type CsvDType,
  type CsvWording,
} from '../../decode';
import { TFRecordError } from '../../errors';
import { frameOrigin, type BatchFrames, type Origin } from '../../record';

/** A column of the rows. */
export interface CsvStageColumn {
  readonly name: string;
  readonly dtype: CsvDType;
  /** True if its bytes become text. */
  readonly text: boolean;
}

/** How rows are decoded. */
export interface CsvSettings {
  readonly columns: readonly CsvStageColumn[];
  /** The rules of all columns, in their order. */
  readonly rules: CheckedCsvOptions;
  readonly header: boolean;
}

/** The rows before the first that cannot be decoded. */
interface DecodedRows {
  readonly rows: readonly unknown[];
  readonly error: TFRecordError | undefined;
}

/** Where the columns are in the records of one file. */
export class CsvLayout {
  /** In the order of the fields. */
  readonly #columns: readonly CsvStageColumn[];
  readonly #names: readonly string[];
  readonly #rules: CheckedCsvOptions;
  /** The names of the fields. */
  readonly #header: readonly string[];

  /** `head`: the header record of `file`. @throws TFRecordError TFR_DECODE where it lacks a column */
  constructor({ columns, rules, header }: CsvSettings, head: Uint8Array | undefined, file: string) {
    this.#names = columns.map(({ name }) => name);
    if (!header || head === undefined) {
      this.#columns = columns;
      this.#rules = rules;
      this.#header = this.#names;
      return;
    }
    this.#header = headerOf(head, rules, file);
    const fields = columns.map((column, i) => ({ column, i, field: fieldOf(column.name, this.#header, file) }));
    fields.sort((a, b) => a.field - b.field);
    this.#columns = fields.map(({ column }) => column);
    this.#rules = {
      ...rules,
      columns: fields.map(({ i }) => rules.columns[i]!),
      // Where all are wanted, none may be too many.
      selected: fields.length === this.#header.length ? undefined : fields.map(({ field }) => field),
    };
  }

  /** The rows of frames `frames` of `source`. */
  decode(source: BatchFrames, frames: readonly number[]): DecodedRows {
    const lines = frames.map((frame) => {
      const at = source.frames[2 * frame]!;
      return source.slab.subarray(at, at + source.frames[2 * frame + 1]!);
    });
    const originOf = (record: number): Origin => frameOrigin(source, frames[record]!);
    try {
      return { rows: this.#rows(lines, originOf), error: undefined };
    } catch (cause) {
      if (!(cause instanceof TFRecordError) || cause.code !== 'TFR_DECODE') throw cause;
      const index = cause.record!;
      const { file, record, offset } = originOf(index);
      const { expected, found } = cause;
      const error = new TFRecordError(cause.code, cause.message, { file, record, offset, expected, found });
      return { rows: index === 0 ? [] : this.#rows(lines.slice(0, index), originOf), error };
    }
  }

  #rows(lines: readonly Uint8Array[], originOf: (record: number) => Origin): unknown[] {
    const wording: CsvWording = {
      where: (record, field) => {
        const origin = originOf(record);
        const name = field === undefined ? undefined : this.#header[field];
        const of =
          field === undefined ? '' : `, field ${field}${name === undefined ? '' : ` (${JSON.stringify(name)})`}`;
        return `Record ${origin.record} of ${origin.file}, at byte ${origin.offset}${of}`;
      },
      advice: (column) => `options.columns may give ${JSON.stringify(this.#columns[column]?.name)} a default.`,
    };
    const decoded = decodeRecords(lines, this.#rules, wording);
    const getters = this.#names.map((name) => {
      const at = this.#columns.findIndex((column) => column.name === name);
      return [name, getter(decoded[at]!, this.#columns[at]?.text === true)] as const;
    });
    // Own properties, whatever they are called.
    return lines.map((_, row) => Object.fromEntries(getters.map(([name, get]) => [name, get(row)])));
  }
}

type Decoded = ReturnType<typeof decodeRecords>[number];

function getter(values: Decoded, text: boolean): (row: number) => unknown {
  if ('offsets' in values) return text ? (row) => values.text(row) : (row) => values.at(row);
  return (row) => values[row];
}

function headerOf(head: Uint8Array, rules: CheckedCsvOptions, file: string): string[] {
  const fields = new Fields(Infinity);
  const fault = splitRecord(head, { ...rules, selected: undefined }, fields);
  if (fault !== undefined) throw headerError(file, `${fault.expected} in field ${fault.field}`, fault.found);
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
