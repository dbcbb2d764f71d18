/** The rules for splitting records into fields. */
export interface FieldRules {
  /** The byte between fields. */
  readonly delimiter: number;
  /** True if `"` at the start of a field quotes it. */
  readonly quotes: boolean;
  /** Ascending indices of the wanted fields; undefined for all. */
  readonly selected: readonly number[] | undefined;
}

/** The reason why a record cannot be split. */
export interface SplitFault {
  readonly field: number;
  readonly expected: string;
  readonly found: string;
}

/** The wanted fields of the record that was split last. Field i is `bytes[i][starts[i] .. ends[i])`. */
export class Fields {
  readonly bytes: Uint8Array[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** Number of fields found. Only the first `limit` are kept. */
  count = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(bytes: Uint8Array, start: number, end: number): void {
    const index = this.count++;
    if (index >= this.#limit) return;
    this.bytes[index] = bytes;
    this.starts[index] = start;
    this.ends[index] = end;
  }
}

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/**
 * Splits `record` into `fields` like the op DecodeCSV, up to the last wanted field. Fields before it that are not wanted
 * are scanned, too, so bad quotes in them are faults. Returns the fault, if any.
 */
export function splitRecord(record: Uint8Array, rules: FieldRules, fields: Fields): SplitFault | undefined {
  const { delimiter, quotes, selected } = rules;
  const length = record.length;
  fields.count = 0;
  let field = 0;
  let at = 0;
  const wanted = (): boolean => selected === undefined || selected[fields.count] === field;
  while (at < length) {
    const first = record[at];
    if (first === LF || first === CR) {
      at++;
      continue;
    }
    const quoted = quotes && first === QUOTE;
    const end = quoted ? endOfQuoted(record, at + 1, delimiter) : endOfPlain(record, at, rules);
    if (typeof end === 'object') return { field, ...end };
    if (wanted()) {
      if (quoted) addQuoted(fields, record, at + 1, end);
      else fields.add(record, at, end);
      if (fields.count === selected?.length) return undefined;
    }
    field++;
    at = quoted ? end + 2 : end + 1;
  }
  // After a delimiter at the end comes one more, empty field.
  if (length > 0 && record[length - 1] === delimiter && wanted()) fields.add(record, length, length);
  return undefined;
}

type Fault = Omit<SplitFault, 'field'>;

/** Returns the end of the unquoted field that starts at `at`: the next delimiter, or the end of the record. */
function endOfPlain(record: Uint8Array, at: number, { delimiter, quotes }: FieldRules): number | Fault {
  for (let end = at; end < record.length; end++) {
    const byte = record[end];
    if (byte === delimiter) return end;
    if (byte === LF || byte === CR) {
      const found = byte === LF ? 'a line feed' : 'a carriage return';
      return { expected: 'no line end in a field without quotes', found };
    }
    if (byte === QUOTE && quotes) return { expected: 'quotes around the whole field only', found: 'a quote inside it' };
  }
  return record.length;
}

/** Returns the index of the closing quote of a field. `at` is the index after the opening quote. */
function endOfQuoted(record: Uint8Array, at: number, delimiter: number): number | Fault {
  const last = record.length - 1;
  let end = at;
  while (end < last) {
    if (record[end] !== QUOTE) {
      end++;
      continue;
    }
    if (record[end + 1] === delimiter) return end;
    if (record[end + 1] !== QUOTE) {
      return { expected: 'a quote inside a quoted field to be written twice', found: 'a single one' };
    }
    end += 2;
  }
  if (end === last && record[end] === QUOTE) return end;
  return { expected: 'a quote at the end of a quoted field, right before a delimiter or the end', found: 'none' };
}

/** Adds the content between the quotes. Two quotes in a row become one. */
function addQuoted(fields: Fields, record: Uint8Array, start: number, end: number): void {
  const text = record.subarray(start, end);
  let quote = text.indexOf(QUOTE);
  if (quote < 0) {
    fields.add(record, start, end);
    return;
  }
  const value = new Uint8Array(text.length);
  let size = 0;
  let from = 0;
  for (; quote >= 0; quote = text.indexOf(QUOTE, from)) {
    value.set(text.subarray(from, quote + 1), size);
    size += quote + 1 - from;
    from = quote + 2;
  }
  value.set(text.subarray(from), size);
  fields.add(value, 0, size + text.length - from);
}
