/** Prints Examples and SequenceExamples as lines of JSON, directly from their bytes. */
import { isUtf8 } from 'node:buffer';

import type { Bytes } from '../../base';
import { FIELD_1, FIELD_2, NotAnExample, textJson, Wire } from '../../example';
import type { TextBuffer } from '../output/text-buffer';

/** The form of lines. */
export interface LineForm {
  /** True for protobuf's canonical JSON of the messages; false for plain rows. */
  readonly canonical: boolean;
}

const BYTES = 0x0a;
const FLOATS = 0x12;
const INTEGERS = 0x1a;
/** The tag of a value in a list that is not packed: a float, or an integer. */
const ONE_FLOAT = 0x0d;
const ONE_INTEGER = 0x08;

const COMMA = 0x2c;
const QUOTE = 0x22;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

const CANONICAL_LISTS: Readonly<Record<number, string>> = {
  [BYTES]: '{"bytesList":{',
  [FLOATS]: '{"floatList":{',
  [INTEGERS]: '{"int64List":{',
};

/** Maximum number of names to remember: hostile files may have any number. */
const MAX_NAMES = 65_536;

/** The name of a feature. */
interface Name {
  readonly bytes: Buffer;
  /** The name in JSON, with a colon. */
  readonly json: Buffer;
  /** Number of the last map with this name. */
  map: number;
}

/** Thrown for a record that must be decoded in full: it has an unusual form, or is not an Example. */
const UNUSUAL = new NotAnExample();

/**
 * Prints records in the form in which writers make them: each message has each of its fields once, and each name is
 * valid and unique in its map. Nearly all records have this form.
 */
export class ExampleLines {
  readonly #out: TextBuffer;
  readonly #canonical: boolean;
  readonly #names = new Map<string, Name>();
  /** The names of the last map of the same depth, in order: the next map probably has the same ones. */
  #expected: Name[] = [];
  readonly #expectedFeatures: Name[] = [];
  readonly #expectedLists: Name[] = [];
  #maps = 0;
  #wire = new Wire(new Uint8Array(0));
  #view = new DataView(new ArrayBuffer(0));

  constructor(out: TextBuffer, { canonical }: LineForm) {
    this.#out = out;
    this.#canonical = canonical;
  }

  /** Adds the line of `record`. Returns false, and adds nothing, if the record has an unusual form. */
  print(record: Bytes): boolean {
    this.#out.begin();
    this.#wire = new Wire(record);
    this.#view = new DataView(record.buffer, record.byteOffset, record.byteLength);
    try {
      this.#record();
      this.#out.byte(0x0a);
      return true;
    } catch (error) {
      if (!(error instanceof NotAnExample)) throw error;
      this.#out.drop();
      return false;
    }
  }

  #record(): void {
    const wire = this.#wire;
    const { bytes } = wire;
    const end = bytes.length;
    let [featuresAt, featuresEnd, listsAt, listsEnd] = [-1, -1, -1, -1];
    wire.at = 0;
    while (wire.at < end) {
      const tag = bytes[wire.at++];
      const stop = wire.closedBy(end);
      if (tag === FIELD_1 && featuresAt < 0) [featuresAt, featuresEnd] = [wire.at, stop];
      else if (tag === FIELD_2 && listsAt < 0) [listsAt, listsEnd] = [wire.at, stop];
      else throw UNUSUAL;
      wire.at = stop;
    }
    const out = this.#out;
    if (!this.#canonical) {
      if (listsAt >= 0) out.ascii('{"context":');
      this.#features(featuresAt, featuresEnd);
      if (listsAt < 0) return;
      out.ascii(',"featureLists":');
      this.#lists(listsAt, listsEnd);
      out.byte(CLOSE);
      return;
    }
    out.byte(OPEN);
    if (featuresAt >= 0) {
      out.ascii(listsAt < 0 ? '"features":{' : '"context":{');
      if (featuresAt < featuresEnd) {
        out.ascii('"feature":');
        this.#features(featuresAt, featuresEnd);
      }
      out.byte(CLOSE);
    }
    if (listsAt >= 0) {
      out.ascii(featuresAt < 0 ? '"featureLists":{' : ',"featureLists":{');
      if (listsAt < listsEnd) {
        out.ascii('"featureList":');
        this.#lists(listsAt, listsEnd);
      }
      out.byte(CLOSE);
    }
    out.byte(CLOSE);
  }

  #features(at: number, end: number): void {
    this.#expected = this.#expectedFeatures;
    this.#map(at, end, true);
  }

  #lists(at: number, end: number): void {
    this.#expected = this.#expectedLists;
    this.#map(at, end, false);
  }

  /** Adds the map with the entries from `at` to `end`: features, or lists of features. */
  #map(at: number, end: number, ofFeatures: boolean): void {
    const wire = this.#wire;
    const { bytes } = wire;
    const out = this.#out;
    const map = ++this.#maps;
    let entry = 0;
    wire.at = at;
    out.byte(OPEN);
    while (wire.at < end) {
      if (bytes[wire.at++] !== FIELD_1) throw UNUSUAL;
      const entryEnd = wire.closedBy(end);
      if (bytes[wire.at++] !== FIELD_1) throw UNUSUAL;
      const nameEnd = wire.closedBy(entryEnd);
      const name = this.#name(wire.at, nameEnd, entry);
      // If two entries have the same name, the last one is valid.
      if (name.map === map) throw UNUSUAL;
      name.map = map;
      wire.at = nameEnd;
      if (bytes[wire.at++] !== FIELD_2 || wire.closedBy(entryEnd) !== entryEnd) throw UNUSUAL;
      if (entry++ > 0) out.byte(COMMA);
      out.raw(name.json);
      if (ofFeatures) this.#feature(entryEnd);
      else this.#steps(entryEnd);
    }
    out.byte(CLOSE);
  }

  /** The name from `at` to `end`, in entry number `entry` of its map. */
  #name(at: number, end: number, entry: number): Name {
    const { bytes } = this.#wire;
    const expected = this.#expected[entry];
    if (expected !== undefined && isAt(bytes, at, end, expected.bytes)) return expected;
    const key = bytes.toString('latin1', at, end);
    let name = this.#names.get(key);
    if (name === undefined) {
      const own = Buffer.from(bytes.subarray(at, end));
      // Parts of other messages can look like names with control characters.
      if (!isUtf8(own) || own.some((byte) => byte < 0x20)) throw UNUSUAL;
      name = { bytes: own, json: Buffer.from(`${textJson(own.toString())}:`), map: 0 };
      if (this.#names.size < MAX_NAMES) this.#names.set(key, name);
      // A repeated name would go unnoticed if it could not be remembered.
      else throw UNUSUAL;
    }
    if (entry < MAX_NAMES) this.#expected[entry] = name;
    return name;
  }

  /** Adds the steps of a feature list that ends at `end`. */
  #steps(end: number): void {
    const wire = this.#wire;
    const out = this.#out;
    if (this.#canonical) {
      if (wire.at === end) {
        out.ascii('{}');
        return;
      }
      out.ascii('{"feature":');
    }
    out.byte(OPEN_LIST);
    let count = 0;
    while (wire.at < end) {
      if (wire.bytes[wire.at++] !== FIELD_1) throw UNUSUAL;
      const stepEnd = wire.closedBy(end);
      if (count++ > 0) out.byte(COMMA);
      this.#feature(stepEnd);
    }
    out.byte(CLOSE_LIST);
    if (this.#canonical) out.byte(CLOSE);
  }

  /** Adds the Feature from the current position to `end`. */
  #feature(end: number): void {
    const wire = this.#wire;
    const out = this.#out;
    const canonical = this.#canonical;
    if (wire.at === end) {
      out.ascii(canonical ? '{}' : 'null');
      return;
    }
    const kind = wire.bytes[wire.at++]!;
    if (wire.closedBy(end) !== end) throw UNUSUAL;
    if (canonical) {
      const open = CANONICAL_LISTS[kind];
      if (open === undefined) throw UNUSUAL;
      out.ascii(open);
      if (wire.at < end) out.ascii('"value":');
    }
    if (!canonical || wire.at < end) {
      out.byte(OPEN_LIST);
      if (kind === INTEGERS) this.#integers(end);
      else if (kind === FLOATS) this.#floats(end);
      else if (kind === BYTES) this.#values(end);
      else throw UNUSUAL;
      out.byte(CLOSE_LIST);
    }
    if (canonical) out.ascii('}}');
  }

  #integers(end: number): void {
    const wire = this.#wire;
    const { bytes } = wire;
    let first = true;
    while (wire.at < end) {
      const tag = bytes[wire.at++];
      const stop = tag === FIELD_1 ? wire.closedBy(end) : end;
      if (tag !== FIELD_1 && tag !== ONE_INTEGER) throw UNUSUAL;
      while (wire.at < stop) {
        if (first) first = false;
        else this.#out.byte(COMMA);
        this.#integer(stop);
        if (tag === ONE_INTEGER) break;
      }
    }
  }

  #integer(end: number): void {
    const wire = this.#wire;
    const { bytes } = wire;
    const out = this.#out;
    const start = wire.at;
    let value = 0;
    let factor = 1;
    let byte;
    do {
      if (wire.at === end || wire.at - start === 10) throw UNUSUAL;
      byte = bytes[wire.at++]!;
      value += (byte & 0x7f) * factor;
      factor *= 0x80;
    } while (byte >= 0x80);
    if (this.#canonical) out.byte(QUOTE);
    // Seven bytes hold 49 bits, a safe integer.
    if (wire.at - start <= 7) out.integer(value);
    else out.ascii(String(longAt(bytes, start, wire.at)));
    if (this.#canonical) out.byte(QUOTE);
  }

  #floats(end: number): void {
    const wire = this.#wire;
    const out = this.#out;
    let first = true;
    while (wire.at < end) {
      const tag = wire.bytes[wire.at++];
      if (tag !== FIELD_1 && tag !== ONE_FLOAT) throw UNUSUAL;
      const stop = tag === FIELD_1 ? wire.closedBy(end) : wire.at + 4;
      if (stop > end || (stop - wire.at) % 4 !== 0) throw UNUSUAL;
      for (; wire.at < stop; wire.at += 4) {
        if (first) first = false;
        else out.byte(COMMA);
        out.float(this.#view.getFloat32(wire.at, true));
      }
    }
  }

  #values(end: number): void {
    const wire = this.#wire;
    const { bytes } = wire;
    const out = this.#out;
    let first = true;
    while (wire.at < end) {
      if (bytes[wire.at++] !== FIELD_1) throw UNUSUAL;
      const stop = wire.closedBy(end);
      if (first) first = false;
      else out.byte(COMMA);
      this.#value(wire.at, stop);
      wire.at = stop;
    }
  }

  #value(at: number, end: number): void {
    const { bytes } = this.#wire;
    const out = this.#out;
    if (this.#canonical) out.base64(bytes.subarray(at, end));
    else if (isFloatWord(bytes, at, end)) {
      // Readers would take the string for a float.
      out.ascii('{"base64":');
      out.base64(bytes.subarray(at, end));
      out.byte(CLOSE);
    } else if (!out.plainText(bytes, at, end)) out.anyText(bytes.subarray(at, end));
  }
}

/** The words for floats that JSON has no numbers for. */
export const FLOAT_WORDS: readonly string[] = ['NaN', 'Infinity', '-Infinity'];

/** True for the bytes of {@link FLOAT_WORDS}. */
function isFloatWord(bytes: Buffer, at: number, end: number): boolean {
  const size = end - at;
  if (size !== 3 && size !== 8 && size !== 9) return false;
  return FLOAT_WORDS.includes(bytes.toString('latin1', at, end));
}

function isAt(bytes: Buffer, at: number, end: number, expected: Buffer): boolean {
  const { length } = expected;
  if (end - at !== length) return false;
  for (let i = 0; i < length; i++) if (bytes[at + i] !== expected[i]) return false;
  return true;
}

/** The int64 whose varint is from `start` to `end`. */
function longAt(bytes: Buffer, start: number, end: number): bigint {
  let value = 0n;
  for (let i = end - 1; i >= start; i--) value = (value << 7n) | BigInt(bytes[i]! & 0x7f);
  return BigInt.asIntN(64, value);
}
