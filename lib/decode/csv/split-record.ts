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
interface SplitFault {
  readonly field: number;
  readonly expected: string;
  readonly found: string;
}

/** Maximum number of columns that a header may have: each takes memory, and a hostile file has millions in a few MB. */
export const MAX_HEADER_FIELDS = 1_000_000;

/** The wanted fields of the record that was split last. Field i is `bytes[i][starts[i] .. ends[i])`. */
export class Fields {
  readonly bytes: Uint8Array[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** Number of fields found. Only the first `limit` are kept. */
  count = 0;
  limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(bytes: Uint8Array, start: number, end: number): void {
    const index = this.count++;
    if (index >= this.limit) return;
    this.bytes[index] = bytes;
    this.starts[index] = start;
    this.ends[index] = end;
  }
}

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/**
 * Cuts the record `bytes[begin .. end)` into fields as the op DecodeCSV does, up to the last wanted field. It also checks
 * the quotes of fields that are not wanted. Returns the fault, or undefined when `fields` has been filled.
 */
export function splitRecord(
  bytes: Uint8Array,
  begin: number,
  end: number,
  rules: FieldRules,
  fields: Fields,
): SplitFault | undefined {
  const { delimiter, quotes, selected } = rules;
  fields.count = 0;
  let field = 0;
  let at = begin;
  while (at < end) {
    const first = bytes[at];
    if (first === LF || first === CR) {
      at++;
      continue;
    }
    const quoted = quotes && first === QUOTE;
    const stop = quoted ? endOfQuoted(bytes, at + 1, end, delimiter) : endOfPlain(bytes, at, end, delimiter, quotes);
    if (typeof stop === 'object') return { field, ...stop };
    if (selected === undefined || selected[fields.count] === field) {
      if (quoted) addQuoted(fields, bytes, at + 1, stop);
      else fields.add(bytes, at, stop);
      if (fields.count === selected?.length) return undefined;
    }
    field++;
    at = quoted ? stop + 2 : stop + 1;
  }
  // A delimiter at the very end of a record starts one more field, which is empty.
  const one = end > begin && bytes[end - 1] === delimiter;
  if (one && (selected === undefined || selected[fields.count] === field)) fields.add(bytes, end, end);
  return undefined;
}

type Fault = Omit<SplitFault, 'field'>;

/** Returns the end of the field that starts at `at`: the place of a delimiter, or `end`. */
function endOfPlain(bytes: Uint8Array, at: number, end: number, delimiter: number, quotes: boolean): number | Fault {
  for (let stop = at; stop < end; stop++) {
    const byte = bytes[stop];
    if (byte === delimiter) return stop;
    if (byte === LF || byte === CR) {
      const found = byte === LF ? 'a line feed' : 'a carriage return';
      return { expected: 'no line end in a field without quotes', found };
    }
    if (byte === QUOTE && quotes) return { expected: 'quotes around the whole field only', found: 'a quote inside it' };
  }
  return end;
}

/** Returns the place of the quote that closes a field. `at` is the first byte after the opening quote. */
function endOfQuoted(bytes: Uint8Array, at: number, end: number, delimiter: number): number | Fault {
  const last = end - 1;
  let stop = at;
  while (stop < last) {
    if (bytes[stop] !== QUOTE) {
      stop++;
      continue;
    }
    if (bytes[stop + 1] === delimiter) return stop;
    if (bytes[stop + 1] !== QUOTE) {
      return { expected: 'a quote inside a quoted field to be written twice', found: 'a single one' };
    }
    stop += 2;
  }
  if (stop === last && bytes[stop] === QUOTE) return stop;
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
