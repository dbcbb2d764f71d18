/** Collects the fields of rows as the columns of a table. */
import { counted } from '../../base';
import { parseInt64 } from '../../decode';
import type { FeatureColumn, TableColumn, Vector } from '../../table';
import { clearBit, countSet, newBits, setBit } from '../../tensor';
import { RowFault } from '../jsonl/parse-line';
import type { InputRows } from './input-rows';
import { floatOf } from './literals';
import type { Rounding } from './rounding';
import { isText, type RowSplitter } from './row-splitter';

/** How the fields of a column are read. */
export interface FieldRule {
  readonly name: string;
  readonly dtype: TableColumn['dtype'];
  /** True if each row must have a value. */
  readonly required: boolean;
  /** True if bytes that are not valid text are accepted. */
  readonly anyBytes: boolean;
}

/** The column of a table for the fields of `rule`. */
export function columnOf({ name, dtype, required }: FieldRule): FeatureColumn {
  return { key: name, section: 0, dtype, shape: [], nullable: !required };
}

/** The values of one column for some rows. Setting a row again replaces its value. */
export class FieldColumn {
  readonly #rule: FieldRule;
  readonly #values: Values;
  readonly #rounding: Rounding;
  readonly #validity: Uint8Array<ArrayBuffer>;

  /** `rows`: the maximum number of rows. */
  constructor(rule: FieldRule, rows: number, rounding: Rounding) {
    this.#rule = rule;
    this.#rounding = rounding;
    this.#validity = newBits(rows);
    this.#values =
      rule.dtype === 'int64'
        ? new Int64Values(rows)
        : rule.dtype === 'float32'
          ? new FloatValues(rows)
          : new BytesValues(rows, rule.anyBytes);
  }

  /** Sets row `row` to field `i` of the row that `rows` took last. @throws RowFault */
  take(row: number, rows: InputRows, i: number): void {
    const { name, dtype, required } = this.#rule;
    const { splitter } = rows;
    if (rows.isMissing(i, this.#values.areNumbers)) {
      if (required) {
        const message = `feature ${JSON.stringify(name)} has no value, and the spec requires one`;
        const found = splitter.isEmpty(i) ? 'an empty field' : splitter.bytes(i).toString();
        throw new RowFault('TFR_FEATURE', message, name, 'a value', found);
      }
      this.#values.skip(row);
      clearBit(this.#validity, row);
    } else {
      const expected = this.#values.set(row, splitter, i);
      if (expected !== undefined) throw unfit(name, expected, splitter.bytes(i));
      if (dtype === 'float32') {
        const { bytes, starts, ends } = splitter.fields;
        this.#rounding.take(name, bytes[i]!, starts[i]!, ends[i]!, this.#values.numberAt(row));
      }
      setBit(this.#validity, row);
    }
  }

  /** Returns the values of the first `rows` rows of `column`. */
  finish(column: TableColumn, rows: number): Vector {
    const nulls = rows - countSet(this.#validity, rows);
    const validity = nulls === 0 ? undefined : this.#validity;
    return { column, rows, validity, nulls, steps: undefined, splits: undefined, ...this.#values.finish(rows) };
  }
}

/** Maximum number of bytes of an invalid field in a message. */
const SHOWN = 40;

/** The text of a field, cut for a message. */
export function shownField(field: Buffer): string {
  const more = field.length > SHOWN ? ` and ${counted(field.length - SHOWN, 'byte')} more` : '';
  return `${JSON.stringify(field.toString('utf8', 0, SHOWN))}${more}`;
}

function unfit(name: string, expected: string, field: Buffer): RowFault {
  const found = shownField(field);
  return new RowFault(
    'TFR_FEATURE',
    `feature ${JSON.stringify(name)} is ${found}; expected ${expected}`,
    name,
    expected,
    found,
  );
}

/** Memory for the values of a column. */
interface Values {
  readonly areNumbers: boolean;
  /** Stores the value of a field. If the field is invalid, returns what is expected instead. */
  set(row: number, splitter: RowSplitter, i: number): string | undefined;
  /** Marks row `row` as having no value. */
  skip(row: number): void;
  /** The value of row `row`; NaN if the column holds text. */
  numberAt(row: number): number;
  /** Returns the values of the first `rows` rows. */
  finish(rows: number): Pick<Vector, 'offsets' | 'values'>;
}

class Int64Values implements Values {
  readonly areNumbers = true;
  readonly #values: BigInt64Array<ArrayBuffer>;

  constructor(rows: number) {
    this.#values = new BigInt64Array(rows);
  }

  set(row: number, { fields }: RowSplitter, i: number): string | undefined {
    const value = parseInt64(fields.bytes[i]!, fields.starts[i]!, fields.ends[i]!);
    if (value === undefined) return 'an int64';
    this.#values[row] = value;
    return undefined;
  }

  skip(row: number): void {
    this.#values[row] = 0n;
  }

  numberAt(row: number): number {
    return Number(this.#values[row]);
  }

  finish(rows: number): Pick<Vector, 'offsets' | 'values'> {
    return { offsets: undefined, values: this.#values.subarray(0, rows) };
  }
}

class FloatValues implements Values {
  readonly areNumbers = true;
  readonly #values: Float32Array<ArrayBuffer>;

  constructor(rows: number) {
    this.#values = new Float32Array(rows);
  }

  set(row: number, { fields }: RowSplitter, i: number): string | undefined {
    const value = floatOf(fields.bytes[i]!, fields.starts[i]!, fields.ends[i]!);
    if (value === undefined) return 'a float32';
    this.#values[row] = value;
    return undefined;
  }

  skip(row: number): void {
    this.#values[row] = 0;
  }

  numberAt(row: number): number {
    return this.#values[row]!;
  }

  finish(rows: number): Pick<Vector, 'offsets' | 'values'> {
    return { offsets: undefined, values: this.#values.subarray(0, rows) };
  }
}

/** Initial size of the buffer of values. */
const FIRST_BYTES = 4096;

class BytesValues implements Values {
  readonly areNumbers = false;
  readonly #offsets: Int32Array<ArrayBuffer>;
  readonly #anyBytes: boolean;
  #data = new Uint8Array(FIRST_BYTES);

  constructor(rows: number, anyBytes: boolean) {
    this.#offsets = new Int32Array(rows + 1);
    this.#anyBytes = anyBytes;
  }

  set(row: number, splitter: RowSplitter, i: number): string | undefined {
    const value = splitter.bytes(i);
    if (!this.#anyBytes && !isText(value)) return NO_TEXT;
    const start = this.#offsets[row]!;
    const end = start + value.length;
    if (end > this.#data.length) {
      const larger = new Uint8Array(2 * end);
      larger.set(this.#data.subarray(0, start));
      this.#data = larger;
    }
    this.#data.set(value, start);
    this.#offsets[row + 1] = end;
    return undefined;
  }

  skip(row: number): void {
    this.#offsets[row + 1] = this.#offsets[row]!;
  }

  numberAt(): number {
    return NaN;
  }

  finish(rows: number): Pick<Vector, 'offsets' | 'values'> {
    return { offsets: this.#offsets.subarray(0, rows + 1), values: this.#data };
  }
}

/** The expectation of a text field, for errors. */
export const NO_TEXT = 'UTF-8 without NUL, or a spec with dtype bytes, which accepts any bytes';
