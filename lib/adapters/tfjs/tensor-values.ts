/**
 * Converts values to the types of tfjs tensors. A value that the type cannot hold throws; no value is silently rounded
 * or wrapped.
 */
import { counted } from '../../base';
import type { HostBytes, HostNumbers, HostValues } from './host-values';
import { misfit, type BatchPart, type TensorRules } from './rules';
import type { TfjsDType } from './types';

/** The parts of a tensor. */
interface TensorValues {
  readonly dtype: TfjsDType;
  readonly shape: readonly number[];
  /** The tensor keeps this memory. It is new, or belongs to a column, and must not be changed. */
  readonly data: Float32Array | Int32Array | Uint8Array | readonly Uint8Array[];
}

/** Converts the values of the column at `place`. @throws TFRecordError TFR_FEATURE with the first invalid record. */
export function tensorValues(place: BatchPart, values: HostValues, { dtypes }: TensorRules): TensorValues {
  const dtype = dtypes.get(place.name) ?? dtypeOf(values);
  if (values.kind === 'bytes') {
    if (dtype === 'string') return { dtype, shape: values.shape, data: values.data };
    if (dtype !== 'bool') return pixels(place, values, dtype);
  } else if (dtype !== 'string') {
    const { shape } = values;
    switch (dtype) {
      case 'float32':
        return { dtype, shape, data: floats(place, values) };
      case 'int32':
        return { dtype, shape, data: integers(place, values, Int32Array) };
      case 'bool':
        return { dtype, shape, data: integers(place, values, Uint8Array, 1) };
    }
  }
  throw misfit(
    place,
    `values that ${dtype} can hold`,
    values.kind === 'bytes' ? 'bytes' : 'numbers',
    'See options.dtypes',
  );
}

function dtypeOf({ kind }: HostValues): TfjsDType {
  if (kind === 'bytes') return 'string';
  if (kind === 'bool') return 'bool';
  return kind === 'integer' ? 'int32' : 'float32';
}

/**
 * Returns values as float32: a Float32Array without a copy, JavaScript numbers rounded, and integers if float32 can
 * hold them exactly.
 */
function floats(place: BatchPart, { kind, data, shape }: HostNumbers): Float32Array {
  if (data instanceof Float32Array) return data;
  const made = new Float32Array(data.length);
  // A Float64Array may hold int64 values as numbers or fractions, so it is rounded.
  const exact = kind === 'integer' && !(data instanceof Float64Array);
  for (let i = 0; i < data.length; i++) {
    const value = data[i]!;
    const rounded = (made[i] = Number(value));
    const held = made[i]!;
    const fits = exact
      ? held === rounded && (typeof value === 'number' || BigInt(held) === value)
      : Number.isFinite(held) || !Number.isFinite(rounded);
    if (!fits) throw misfit(at(place, i, shape, data.length), 'a value that float32 holds exactly', String(value));
  }
  return made;
}

/** Returns integers in the range of `array`, with the maximum `most`. */
function integers<A extends Int32Array | Uint8Array>(
  place: BatchPart,
  { data, shape }: HostNumbers,
  array: new (length: number) => A,
  most = Infinity,
): A {
  if (data instanceof BigInt64Array && array === (Int32Array as unknown)) return narrowed(place, data, shape) as A;
  const made = new array(data.length);
  for (let i = 0; i < data.length; i++) {
    const value = Number(data[i]);
    made[i] = value;
    if (made[i] !== value || value > most) {
      const found = String(data[i]);
      const whole = made instanceof Int32Array ? INT32 : '0 or 1';
      const advice = Number.isInteger(value)
        ? TOO_BIG
        : 'Fractions belong in a Float32Array, or choose float32 in options.dtypes';
      throw misfit(at(place, i, shape, data.length), whole, found, advice);
    }
  }
  return made;
}

const INT32 = 'an integer from -2147483648 to 2147483647 (tfjs has no int64)';
const TOO_BIG = 'Choose float32 in options.dtypes if it is exact, or map the values first';

/** Like {@link integers} for int64, but works on 32-bit halves, so that it makes no bigints. */
function narrowed(place: BatchPart, data: BigInt64Array, shape: readonly number[]): Int32Array {
  const words = new Int32Array(data.buffer, data.byteOffset, 2 * data.length);
  const made = new Int32Array(data.length);
  for (let i = 0; i < data.length; i++) {
    const low = words[2 * i]!;
    if (words[2 * i + 1] !== low >> 31) throw misfit(at(place, i, shape, data.length), INT32, String(data[i]), TOO_BIG);
    made[i] = low;
  }
  return made;
}

/** Returns the bytes of strings of equal length as numbers, with one more dimension. */
function pixels(place: BatchPart, { data, shape }: HostBytes, dtype: 'float32' | 'int32'): TensorValues {
  const size = data[0]?.length ?? 0;
  const made = dtype === 'float32' ? new Float32Array(size * data.length) : new Int32Array(size * data.length);
  for (const [i, bytes] of data.entries()) {
    if (bytes.length !== size) {
      throw misfit(
        at(place, i, shape, data.length),
        `${counted(size, 'byte')}, as in the first`,
        counted(bytes.length, 'byte'),
      );
    }
    made.set(bytes, i * size);
  }
  return { dtype, shape: [...shape, size], data: made };
}

/** Returns the place of value `i` of `count`, with its row. */
function at(place: BatchPart, i: number, [rows]: readonly number[], count: number): BatchPart {
  return { ...place, row: place.row ?? Math.floor((i * (rows ?? 1)) / count) };
}
