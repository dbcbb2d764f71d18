/** A feature by which records are divided: found in serialized records without parsing the others. */
import { TFRecordError, type Bytes, type Origin } from '../../base';
import { crc32c } from '../../record';
import { nearestHint } from '../feature';
import { FIELD_1, forEachEntry, isOtherMessage, NotAnExample, notAnExample, Wire, wireName } from './entries';

/** The place of a Feature in a record. */
export interface FeaturePlace {
  readonly wire: Wire;
  readonly start: number;
  readonly end: number;
}

export class StoredFeature {
  readonly name: string;
  readonly #wireName: string;
  readonly #use: string;
  readonly #purpose: string;

  /** `use`, `purpose`: relative clauses for errors, such as "whose feature could be hashed", "by which to split". */
  constructor(name: string, use: string, purpose: string) {
    this.name = name;
    this.#wireName = wireName(name);
    this.#use = use;
    this.#purpose = purpose;
  }

  /**
   * Returns the place of the feature in `record`; undefined if the record lacks it.
   * @throws TFRecordError TFR_EXAMPLE for a record that is neither an Example nor a SequenceExample
   */
  find(record: Bytes, origin: () => Origin): FeaturePlace | undefined {
    const wire = new Wire(record);
    let start = -1;
    let end = -1;
    this.walked(record, origin, () => {
      forEachEntry(wire, (entry, section) => {
        // If a name has several entries, the last one is valid.
        if (section === FIELD_1 && entry.name === this.#wireName) [start, end] = [entry.valueStart, entry.valueEnd];
      });
    });
    if (start >= 0) return { wire, start, end };
    if (isOtherMessage(record)) throw notAnExample(record, origin(), this.#use);
    return undefined;
  }

  /**
   * Returns a hash of the feature's kind and values, 0 to 2^32 - 1, which does not depend on their encoding.
   * @throws TFRecordError TFR_FEATURE for a record without values
   */
  hash(record: Bytes, origin: () => Origin): number {
    const place = this.find(record, origin);
    const sum = place && this.walked(record, origin, () => valuesSum(place));
    if (sum !== undefined) return mix(sum);
    const { file, record: number } = origin();
    const hint = place === undefined ? nearestHint(this.name, namesIn(record)) : '';
    const text = `Record ${number} of ${file} has no values of the feature ${JSON.stringify(this.name)}, ${this.#purpose}.`;
    throw this.error(`${text}${hint}`, origin());
  }

  /** Calls `walk`, which reads the values of `record`. @throws TFRecordError TFR_EXAMPLE for values that do not fit in it */
  walked<T>(record: Bytes, origin: () => Origin, walk: () => T): T {
    try {
      return walk();
    } catch (error) {
      if (!(error instanceof NotAnExample)) throw error;
      throw notAnExample(record, origin(), this.#use);
    }
  }

  /** Returns the error `message` about this feature of a record. */
  error(
    message: string,
    { file, record, offset }: Origin,
    details?: { readonly expected: string; readonly found: string },
  ): TFRecordError {
    return new TFRecordError('TFR_FEATURE', message, { file, record, offset, feature: this.name, ...details });
  }
}

/** The names of the features of `record`, which is known to be valid. */
function namesIn(record: Bytes): string[] {
  const names: string[] = [];
  forEachEntry(new Wire(record), ({ name }, section) => {
    if (section === FIELD_1) names.push(Buffer.from(name, 'latin1').toString());
  });
  return names;
}

/** Returns a hash of `bytes`, 0 to 2^32 - 1: CRC-32C, whose bits are spread. */
export function hashOf(bytes: Uint8Array): number {
  return mix(crc32c(bytes));
}

/** Spreads the bits of a checksum, because checksums of similar inputs are related. (The last step of MurmurHash3.) */
function mix(sum: number): number {
  let hash = sum;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Tags of the lists of values. */
export const BYTES = 0x0a;
export const FLOATS = 0x12;
export const INTEGERS = 0x1a;

/** A checksum of the values of a Feature; undefined if it has none. */
function valuesSum(place: FeaturePlace): number | undefined {
  const { bytes } = place.wire;
  let sum = 0;
  const count = walkValues(place, {
    begin: (kind) => (sum = kind),
    take: (kind, from, to) => {
      if (kind === BYTES) {
        // Includes the length, so that 'a', 'b' differs from 'ab'.
        const size = to - from;
        sum = crc32c(Uint8Array.of(size, size >>> 8, size >>> 16, size >>> 24), sum);
      }
      sum = crc32c(bytes.subarray(from, to), sum);
    },
  });
  return count === undefined || count === 0 ? undefined : sum;
}

/** Takes the values of a Feature. */
export interface ValueTaker {
  /** A list of `kind`, a tag, begins; it replaces one of another kind. */
  readonly begin: (kind: number) => void;
  /** A value of the list lies between `from` and `to`. */
  readonly take: (kind: number, from: number, to: number) => void;
}

/** Calls `taker` for each value of a Feature. Returns their number; undefined if they are damaged. */
export function walkValues({ wire, start, end }: FeaturePlace, taker: ValueTaker): number | undefined {
  const { bytes } = wire;
  let kind = 0;
  let count = 0;
  wire.at = start;
  while (wire.at < end) {
    const tag = bytes[wire.at++]!;
    if (tag !== kind) {
      [kind, count] = [tag, 0];
      taker.begin(kind);
    }
    const listEnd = wire.closedBy(end);
    while (wire.at < listEnd) {
      const packed = bytes[wire.at++] === FIELD_1;
      if (kind === BYTES) {
        const stop = wire.closedBy(listEnd);
        taker.take(kind, wire.at, stop);
        count++;
        wire.at = stop;
        continue;
      }
      const stop = packed ? wire.closedBy(listEnd) : listEnd;
      do {
        const from = wire.at;
        if (kind === FLOATS) wire.at += 4;
        else while (wire.at < stop && bytes[wire.at++]! >= 0x80);
        if (kind !== FLOATS && kind !== INTEGERS) return undefined;
        if (wire.at > stop) return undefined;
        if (wire.at > from) {
          taker.take(kind, from, wire.at);
          count++;
        }
      } while (packed && wire.at < stop);
    }
  }
  return count;
}
