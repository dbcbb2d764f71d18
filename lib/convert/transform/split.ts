import { TFRecordError, type Bytes, type Origin } from '../../base';
import { nearestHint } from '../../example';
import { crc32c, type RecordBatch } from '../../record';
import { subset } from '../batches';
import type { Faults } from '../format';
import { FIELD_1, forEachEntry, isOtherMessage, NotAnExample, notAnExample, Wire, wireName } from './wire';

const TWO_32 = 2 ** 32;

/**
 * Assigns each record to one side of a split, by a hash of its bytes, or of the values of one feature. The hash depends
 * on nothing else, so a record always gets the same side.
 */
export class Split {
  readonly sides: readonly string[];
  /** For each side, the upper bound (exclusive) of its hashes. */
  readonly #ends: readonly number[];
  readonly #by: string | undefined;
  readonly #byName: string;

  /** `fractions`: the share of each side; shares add up to 1. `by`: the feature to hash. */
  constructor(fractions: Readonly<Record<string, number>>, by: string | undefined) {
    this.sides = Object.keys(fractions);
    let sum = 0;
    const ends = Object.values(fractions).map((fraction) => Math.round((sum += fraction) * TWO_32));
    ends[ends.length - 1] = TWO_32;
    this.#ends = ends;
    this.#by = by;
    this.#byName = by === undefined ? '' : wireName(by);
  }

  /** The records of each side, in order; undefined for a side without records. */
  divide(batch: RecordBatch, faults: Faults): (RecordBatch | undefined)[] {
    const places = this.sides.map((): number[] => []);
    for (let i = 0; i < batch.length && !faults.stopped; i++) {
      try {
        places[this.#sideOf(batch.at(i)!, () => batch.origin(i)!)]!.push(i);
      } catch (error) {
        if (!(error instanceof TFRecordError)) throw error;
        faults.leaveOut(error);
      }
    }
    return places.map((chosen) => (chosen.length === batch.length ? batch : subset(batch, chosen)));
  }

  #sideOf(record: Bytes, origin: () => Origin): number {
    const hash = mix(this.#by === undefined ? crc32c(record) : this.#featureSum(record, origin));
    let side = 0;
    while (hash >= this.#ends[side]!) side++;
    return side;
  }

  /** A checksum of the feature's kind and values, independent of their encoding. */
  #featureSum(record: Bytes, origin: () => Origin): number {
    const wire = new Wire(record);
    let start = -1;
    let end = -1;
    try {
      forEachEntry(wire, (entry, section) => {
        // If a name has several entries, the last one is valid.
        if (section === FIELD_1 && entry.name === this.#byName) [start, end] = [entry.valueStart, entry.valueEnd];
      });
    } catch (error) {
      if (!(error instanceof NotAnExample)) throw error;
      throw notAnExample(record, origin(), 'whose feature could be hashed');
    }
    const sum = start < 0 ? undefined : valuesSum(wire, start, end);
    if (sum !== undefined) return sum;
    if (start < 0 && isOtherMessage(record)) throw notAnExample(record, origin(), 'whose feature could be hashed');
    const { file, record: number, offset } = origin();
    const by = this.#by!;
    const hint = start < 0 ? nearestHint(by, namesIn(record)) : '';
    throw new TFRecordError(
      'TFR_FEATURE',
      `Record ${number} of ${file} has no values of the feature ${JSON.stringify(by)}, by which to split.${hint}`,
      { file, record: number, offset, feature: by },
    );
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

/** Spreads the bits of a checksum, because checksums of similar inputs are related. (The last step of MurmurHash3.) */
function mix(sum: number): number {
  let hash = sum;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const BYTES = 0x0a;
const FLOATS = 0x12;
const INTEGERS = 0x1a;

/** A checksum of the values of the Feature from `start` to `end`; undefined if it has no values. */
function valuesSum(wire: Wire, start: number, end: number): number | undefined {
  const { bytes } = wire;
  let kind = 0;
  let sum = 0;
  let count = 0;
  const add = (from: number, to: number): void => {
    sum = crc32c(bytes.subarray(from, to), sum);
    count++;
  };
  wire.at = start;
  while (wire.at < end) {
    const tag = bytes[wire.at++]!;
    if (tag !== kind) [kind, sum, count] = [tag, tag, 0];
    const listEnd = wire.closedBy(end);
    while (wire.at < listEnd) {
      const packed = bytes[wire.at++] === FIELD_1;
      if (kind === BYTES) {
        const stop = wire.closedBy(listEnd);
        // Includes the length, so that 'a', 'b' differs from 'ab'.
        const size = stop - wire.at;
        sum = crc32c(Uint8Array.of(size, size >>> 8, size >>> 16, size >>> 24), sum);
        add(wire.at, stop);
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
        if (wire.at > from) add(from, wire.at);
      } while (packed && wire.at < stop);
    }
  }
  return count === 0 ? undefined : sum;
}
