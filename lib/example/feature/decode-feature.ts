/** Feature messages: the last kind counts, the lists of one kind are joined, numbers may be packed or not. */
import { newBytesArray, type BytesArray } from '../tensor';
import { HIGH_WORD, LITTLE_ENDIAN, LOW_WORD } from './byte-order';
import type { Feature } from '../message';
import { FIXED32, LENGTH_DELIMITED, tagOf, VARINT, type WireReader } from './wire-reader';

const BYTES_LIST = tagOf(1, LENGTH_DELIMITED);
const FLOAT_LIST = tagOf(2, LENGTH_DELIMITED);
const INT64_LIST = tagOf(3, LENGTH_DELIMITED);
const PACKED = tagOf(1, LENGTH_DELIMITED);
const ONE_VARINT = tagOf(1, VARINT);
const ONE_FIXED32 = tagOf(1, FIXED32);

/** Runs of values in the record. */
interface Runs {
  /** Pairs of first byte and end. */
  readonly bounds: number[];
  count: number;
}

/** One Feature, which may come in several parts that protobuf merges. */
export class FeatureBuilder {
  #tag = 0;
  #runs: Runs = { bounds: [], count: 0 };

  /** Reads a part: a Feature message to `end`. `depth`: how many messages it lies in. */
  read(reader: WireReader, end: number, depth: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag !== BYTES_LIST && tag !== FLOAT_LIST && tag !== INT64_LIST) {
        reader.skipField(tag, end, depth);
        continue;
      }
      if (tag !== this.#tag) {
        this.#tag = tag;
        this.#runs = { bounds: [], count: 0 };
      }
      scanList(reader, tag, reader.contentEnd(end), depth + 1, this.#runs);
    }
  }

  /** The feature of all parts; undefined when none had a kind. `bytes`: the record. */
  build(bytes: Uint8Array): Feature | undefined {
    switch (this.#tag) {
      case BYTES_LIST:
        return { kind: 'bytes', values: copyBytes(bytes, this.#runs) };
      case FLOAT_LIST:
        return { kind: 'float', values: copyFloats(bytes, this.#runs) };
      case INT64_LIST:
        return { kind: 'int64', values: copyInt64s(bytes, this.#runs) };
      default:
        return undefined;
    }
  }
}

/** Checks a list message to `end`, and notes where its values lie: of bytes, one run a value. */
function scanList(reader: WireReader, kind: number, end: number, depth: number, runs: Runs): void {
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === PACKED) {
      const last = reader.contentEnd(end);
      const start = reader.position;
      runs.count += countPacked(reader, kind, last);
      runs.bounds.push(start, last);
    } else if (tag === ONE_VARINT && kind === INT64_LIST) {
      const start = reader.position;
      reader.skipVarint(end);
      runs.count++;
      runs.bounds.push(start, reader.position);
    } else if (tag === ONE_FIXED32 && kind === FLOAT_LIST) {
      const start = reader.position;
      reader.skipBytes(4, end);
      runs.count++;
      runs.bounds.push(start, reader.position);
    } else {
      reader.skipField(tag, end, depth);
    }
  }
}

/** How many values a length-delimited field of a list holds. Leaves the reader at its `end`. */
function countPacked(reader: WireReader, kind: number, end: number): number {
  const start = reader.position;
  if (kind === INT64_LIST) {
    let count = 0;
    while (reader.position < end) {
      if ((reader.bytes[reader.position] as number) < 0x80) reader.position++;
      else reader.skipVarint(end);
      count++;
    }
    return count;
  }
  reader.position = end;
  if (kind === BYTES_LIST) return 1;
  if ((end - start) % 4 !== 0) reader.fail(start, `${end - start} bytes of packed floats are no multiple of 4`);
  return (end - start) / 4;
}

function copyBytes(bytes: Uint8Array, { bounds, count }: Runs): BytesArray {
  const offsets = new Int32Array(count + 1);
  let size = 0;
  for (let i = 0; i < count; i++) {
    size += (bounds[2 * i + 1] as number) - (bounds[2 * i] as number);
    offsets[i + 1] = size;
  }
  const data = new Uint8Array(size);
  for (let i = 0; i < count; i++) data.set(bytes.subarray(bounds[2 * i], bounds[2 * i + 1]), offsets[i]);
  return newBytesArray(data, offsets);
}

function copyFloats(bytes: Uint8Array, { bounds, count }: Runs): Float32Array<ArrayBuffer> {
  const values = new Float32Array(count);
  // Bits are copied: a float that is read as a number may lose what its NaN says.
  const target = new Uint8Array(values.buffer);
  let at = 0;
  for (let i = 0; i < bounds.length; i += 2) {
    target.set(bytes.subarray(bounds[i], bounds[i + 1]), at);
    at += (bounds[i + 1] as number) - (bounds[i] as number);
  }
  if (!LITTLE_ENDIAN) for (let i = 0; i < target.length; i += 4) target.subarray(i, i + 4).reverse();
  return values;
}

function copyInt64s(bytes: Uint8Array, { bounds, count }: Runs): BigInt64Array<ArrayBuffer> {
  const values = new BigInt64Array(count);
  const words = new Int32Array(values.buffer);
  let word = 0;
  for (let i = 0; i < bounds.length; i += 2) {
    const end = bounds[i + 1] as number;
    for (let position = bounds[i] as number; position < end; word += 2) {
      position = storeVarint(bytes, position, words, word);
    }
  }
  return values;
}

/** Decodes the varint at `position`, which was checked, to the int64 at `word`; returns the position behind it. */
function storeVarint(bytes: Uint8Array, position: number, words: Int32Array, word: number): number {
  let low = 0;
  let high = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[position++] as number;
    const bits = byte & 0x7f;
    if (shift < 28) low |= bits << shift;
    else if (shift === 28) {
      low |= bits << 28;
      high = bits >>> 4;
    } else {
      // Of the tenth byte one bit counts; the shift drops the others.
      high |= bits << (shift - 32);
    }
    if (byte < 0x80) break;
  }
  words[word + LOW_WORD] = low;
  words[word + HIGH_WORD] = high;
  return position;
}
