import { counted, named, worded, type Text } from '../../base';
import { byteStringsOf, type ByteStrings } from '../arguments';
import { decodeError, shown } from '../decode-error';
import { newColumn, type CsvColumnRule, type CsvValues } from './columns';
import { checkCsvOptions, type CheckedCsvOptions, type CsvColumns, type CsvField, type CsvOptions } from './options';
import { Fields, splitRecord } from './split-record';

/**
 * Decodes records of comma-separated values into columns, by the rules of tf.io.decode_csv (the op DecodeCSV).
 *
 * - A record is one line without its line end. `a,` has two fields; the empty record has none.
 * - An unquoted field ends at the delimiter and has no quotes or line ends. A quoted field may have all of these; a
 *   quote in it is written twice.
 * - An empty field, or one that equals `naValue`, takes its column's default. The default `null`, which TensorFlow does
 *   not have, makes that column an array of values and nulls.
 * - Numbers may have blanks around them. Floats may be decimal, hexadecimal, inf, infinity or nan, and become infinite
 *   or 0 beyond their range. Integers beyond their range are errors. Bytes are kept as they are.
 *
 * @param records - A list of records. Text means its UTF-8 bytes.
 * @returns One column for each of `recordDefaults`, with one value per record.
 * @throws TFRecordError TFR_DECODE for the first invalid record, with its index as `record`, the number of the field in
 *   the message, `expected` and `found`. TFR_RECORD_TOO_LARGE if a column of bytes would be longer than 2^31 − 1 bytes.
 *   TypeError for wrong arguments.
 *
 * @example
 * const [age, name] = decodeCsv(['29,Ann', '31,'], { recordDefaults: ['int32', { dtype: 'bytes', default: '?' }] });
 */
export function decodeCsv<const F extends readonly CsvField[]>(
  records: ByteStrings,
  options: CsvOptions<F>,
): CsvColumns<F>;
export function decodeCsv(records: ByteStrings, options: CsvOptions<readonly CsvField[]>): unknown {
  const rules = checkCsvOptions(options);
  return decodeRecords(listed(byteStringsOf('records', records)), rules, LISTED);
}

/** The words for records and fields in error messages. */
export interface CsvWording {
  /** Returns the start of a message about a record, or about a field of it. */
  where(record: number, field: number | undefined): string;
  /** Returns a sentence that explains how to give column `column` a default. */
  advice(column: number): Text;
}

const LISTED: CsvWording = {
  where: (record, field) => (field === undefined ? `Record ${record}` : `Record ${record}, field ${field}`),
  advice: (column) => worded`${named('recordDefaults', `options.recordDefaults[${column}]`)} may give a default.`,
};

/** Records to decode: record `i` is `bytes(i)[begin(i) .. end(i))`. */
export interface CsvRecords {
  readonly length: number;
  bytes(i: number): Uint8Array;
  begin(i: number): number;
  end(i: number): number;
}

function listed(records: readonly Uint8Array[]): CsvRecords {
  return {
    length: records.length,
    bytes: (i) => records[i]!,
    begin: () => 0,
    end: (i) => records[i]!.length,
  };
}

/** Rules by which columns of bytes may also become text. */
export interface CsvRules extends Omit<CheckedCsvOptions, 'columns'> {
  readonly columns: readonly CsvColumnRule[];
}

/**
 * Decodes `records` into columns.
 *
 * @throws TFRecordError TFR_DECODE, with the index of the first invalid record as `record`
 */
export function decodeRecords(records: CsvRecords, rules: CsvRules, wording: CsvWording): CsvValues[] {
  const columns = rules.columns.map((rule) => newColumn(rule, records.length));
  const fields = new Fields(columns.length);
  for (let record = 0; record < records.length; record++) {
    split(records, record, rules, fields, wording);
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i]!;
      const bytes = fields.bytes[i]!;
      const start = fields.starts[i]!;
      const end = fields.ends[i]!;
      if (start === end || equals(bytes, start, end, rules.naValue)) {
        if (rules.columns[i]?.fallback === undefined) throw missing(record, i, rules, wording);
        column.addDefault();
      } else if (!column.add(bytes, start, end)) {
        throw unreadable(record, i, rules, bytes.subarray(start, end), wording);
      }
    }
  }
  return columns.map((column) => column.finish());
}

function split(records: CsvRecords, record: number, rules: CsvRules, fields: Fields, wording: CsvWording): void {
  const fault = splitRecord(records.bytes(record), records.begin(record), records.end(record), rules, fields);
  if (fault !== undefined) {
    const { field, expected, found } = fault;
    throw decodeError({ where: wording.where(record, field), record, expected, found });
  }
  const { columns, selected } = rules;
  if (fields.count === columns.length) return;
  const where = wording.where(record, undefined);
  if (selected === undefined) {
    const [expected, found] = [counted(columns.length, 'field'), counted(fields.count, 'field')];
    throw decodeError({ where, record, expected, found });
  }
  const expected = `the fields ${selected.join(', ')} (options.selectCols)`;
  throw decodeError({ where, record, expected, found: `no field ${selected[fields.count]}` });
}

function missing(record: number, i: number, rules: CsvRules, wording: CsvWording): Error {
  const expected = `a value of the required field`;
  const where = wording.where(record, fieldOf(i, rules));
  return decodeError({ where, record, expected, found: 'none', cure: wording.advice(i) });
}

function unreadable(record: number, i: number, rules: CsvRules, bytes: Uint8Array, wording: CsvWording): Error {
  const dtype = rules.columns[i]?.dtype ?? '';
  const expected = `${dtype.startsWith('int') ? 'an' : 'a'} ${dtype}`;
  const where = wording.where(record, fieldOf(i, rules));
  return decodeError({ where, record, expected, found: shown(bytes) });
}

function fieldOf(i: number, { selected }: CsvRules): number {
  return selected?.[i] ?? i;
}

function equals(bytes: Uint8Array, start: number, end: number, other: Uint8Array): boolean {
  if (end - start !== other.length) return false;
  for (let i = 0; i < other.length; i++) if (bytes[start + i] !== other[i]) return false;
  return true;
}
