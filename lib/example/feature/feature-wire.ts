/** Measures and writes the body of a Feature message. Numbers are packed. */
import { invalidArgValue, outOfRange, viewOf, type Bytes } from '../../base';
import { givenLength } from '../../io';
import type { BytesArray } from '../../tensor';
import type { Feature, FeatureKind, FeatureOf } from '../message';
import { fieldSize, HIGH_WORD, LITTLE_ENDIAN, LOW_WORD, varintSize, WireWriter } from './wire-writer';

/** Field 1, length-delimited: every list's values, and the list of bytes. */
const VALUES_TAG = 0x0a;

/**
 * V8 keeps arrays of up to 64 bytes in its own heap until code reads their `buffer`, which is slow. So their values are
 * copied to this memory, to be read as bytes and words.
 */
const SMALL = 64;
const smallInt64s = new BigInt64Array(SMALL / 8);
const smallWords = new Uint32Array(smallInt64s.buffer);
const smallFloats = new Float32Array(smallInt64s.buffer);
const smallBytes = new Uint8Array(smallInt64s.buffer);

/** A measured Feature, ready to be written. */
export interface MeasuredFeature {
  /** Its name in errors. */
  readonly name: string;
  /** Undefined for a feature without a kind, which has no bytes. */
  readonly feature: Feature | undefined;
  /** Number of values, for numbers. The length that a caller's array reports may differ. */
  readonly count: number;
  /** Bytes of the packed values, for int64. */
  readonly packed: number;
  /** Bytes of the list message. */
  readonly list: number;
  /** Bytes of the Feature message. */
  readonly size: number;
}

const NO_KIND: MeasuredFeature = { name: '', feature: undefined, count: 0, packed: 0, list: 0, size: 0 };

/** `name` is the feature's name in errors. */
export function measureFeature(name: string, feature: Feature | undefined): MeasuredFeature {
  if (feature === undefined) return NO_KIND;
  const { count, packed, list } = sizesOf(name, feature);
  return { name, feature, count, packed, list, size: fieldSize(list) };
}

function sizesOf<K extends FeatureKind>(name: string, { kind, values }: FeatureOf<K>): Sizes {
  return KINDS[kind].measure(name, values);
}

type Sizes = Pick<MeasuredFeature, 'count' | 'packed' | 'list'>;

/** Measures and writes the body of the list message of one kind. */
interface KindWire<V> {
  readonly tag: number;
  measure(name: string, values: V): Sizes;
  write(writer: WireWriter, values: V, sizes: Sizes): void;
}

const KINDS: { readonly [K in FeatureKind]: KindWire<FeatureOf<K>['values']> } = {
  bytes: {
    tag: 0x0a,
    measure: (name, values) => ({ count: 0, packed: 0, list: bytesListSize(name, values) }),
    write: writeBytes,
  },
  float: {
    tag: 0x12,
    measure(name, values) {
      const count = givenLength(name, values);
      return packedSizes(count, 4 * count);
    },
    write(writer, values, { count, packed }) {
      if (count === 0) return;
      writer.head(VALUES_TAG, packed);
      writeFloats(writer, values, count);
    },
  },
  int64: {
    tag: 0x1a,
    measure(name, values) {
      const count = givenLength(name, values);
      return packedSizes(count, packedInt64Size(values, count));
    },
    write(writer, values, { count, packed }) {
      if (count === 0) return;
      writer.head(VALUES_TAG, packed);
      writeInt64s(writer, values, count);
    },
  },
};

function packedSizes(count: number, packed: number): Sizes {
  return { count, packed, list: count === 0 ? 0 : fieldSize(packed) };
}

/**
 * Writes the Feature message, without a head. @throws TypeError ERR_INVALID_ARG_VALUE if another thread has changed the
 * values since they were measured, and they take another number of bytes now
 */
export function writeFeature(writer: WireWriter, measured: MeasuredFeature): void {
  const { name, feature, size } = measured;
  if (feature === undefined) return;
  const end = writer.position + size;
  try {
    writeValues(writer, feature, measured);
  } catch {
    // A RangeError: the values take more or less memory now.
    writer.position = -1;
  }
  if (writer.position !== end) {
    throw invalidArgValue(name, 'values that stay as they are while they are encoded', feature.values);
  }
}

function writeValues<K extends FeatureKind>(writer: WireWriter, feature: FeatureOf<K>, sizes: Sizes): void {
  const wire = KINDS[feature.kind];
  writer.head(wire.tag, sizes.list);
  wire.write(writer, feature.values, sizes);
}

/** Returns the Feature message of `feature`, whose values must be valid. */
export function serializeFeature(feature: Feature): Bytes {
  const measured = measureFeature('feature', feature);
  const writer = new WireWriter(measured.size);
  writeFeature(writer, measured);
  return writer.bytes;
}

function bytesListSize(name: string, { data, offsets, length }: BytesArray): number {
  const bytes = givenLength(`${name}.data`, data);
  let size = 0;
  for (let i = 0; i < length; i++) {
    const start = offsets[i]!;
    const end = offsets[i + 1]!;
    // Neither is a number where there are fewer offsets than the array says.
    if (!(start >= 0 && start <= end && end <= bytes)) {
      throw outOfRange(`${name}.offsets[${i + 1}]`, `from ${start} to the data's length, ${bytes}`, end);
    }
    size += fieldSize(end - start);
  }
  return size;
}

function writeBytes(writer: WireWriter, { data, offsets, length }: BytesArray): void {
  for (let i = 0; i < length; i++) {
    const start = offsets[i]!;
    const end = offsets[i + 1]!;
    writer.head(VALUES_TAG, end - start);
    copy(writer, data, start, end);
  }
}

/** Bytes `start` to `end` of `data`. */
function copy(writer: WireWriter, data: Uint8Array, start: number, end: number): void {
  const { bytes, position } = writer;
  if (end - start > SMALL) bytes.set(viewOf(data, start, end), position);
  else for (let i = start; i < end; i++) bytes[position + i - start] = data[i]!;
  writer.position = position + end - start;
}

/** Two words for each of the `count` values; valid until the next call. */
function wordsOf(values: BigInt64Array, count: number): Uint32Array {
  if (count > smallInt64s.length) {
    const { buffer, byteOffset } = bytesOf(values, 8 * count);
    return new Uint32Array(buffer, byteOffset, 2 * count);
  }
  smallInt64s.set(values);
  return smallWords;
}

/** The memory of `values`, which have so many bytes. */
function bytesOf(values: BigInt64Array | Float32Array, size: number): Uint8Array {
  return viewOf(values, 0, size);
}

function packedInt64Size(values: BigInt64Array, count: number): number {
  const words = wordsOf(values, count);
  let size = 0;
  for (let i = 0; i < 2 * count; i += 2) {
    const high = words[i + HIGH_WORD]!;
    size += high === 0 ? varintSize(words[i + LOW_WORD]!) : Math.ceil((64 - Math.clz32(high)) / 7);
  }
  return size;
}

function writeInt64s(writer: WireWriter, values: BigInt64Array, count: number): void {
  const words = wordsOf(values, count);
  const { bytes } = writer;
  let { position } = writer;
  for (let i = 0; i < 2 * count; i += 2) {
    let low = words[i + LOW_WORD]!;
    let high = words[i + HIGH_WORD]!;
    while (high !== 0) {
      bytes[position++] = (low & 0x7f) | 0x80;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    while (low >= 0x80) {
      bytes[position++] = (low & 0x7f) | 0x80;
      low >>>= 7;
    }
    bytes[position++] = low;
  }
  writer.position = position;
}

function writeFloats(writer: WireWriter, values: Float32Array, count: number): void {
  const size = 4 * count;
  if (!LITTLE_ENDIAN) {
    const view = new DataView(writer.bytes.buffer, writer.position);
    for (let i = 0; i < count; i++) view.setFloat32(4 * i, values[i]!, true);
    writer.position += size;
  } else if (count <= smallFloats.length) {
    smallFloats.set(values);
    copy(writer, smallBytes, 0, size);
  } else {
    copy(writer, bytesOf(values, size), 0, size);
  }
}
