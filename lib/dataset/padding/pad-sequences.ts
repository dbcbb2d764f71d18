import { arrayClass, invalidArgValue } from '../../base';
import { BytesArray, convertLiteral, DenseTensor, type DType, type Int64As, type Shape } from '../../tensor';
import type { PadValue } from './pad-options';
import type { Numbers, Sequence } from './sequence';

/** The inner sizes that sequences are padded to, and the padding value, if one was given. */
interface Padding {
  readonly name: string;
  readonly inner: readonly number[];
  readonly value: PadValue | undefined;
  /** True if float64 values are int64 values that were parsed as `number`. */
  readonly parsed: boolean;
}

/**
 * Pads and stacks `sequences`, which have one kind and rank, as a tensor, or as nested arrays if they are nested
 * arrays.
 */
export function padSequences(sequences: readonly Sequence[], padding: Padding): unknown {
  const { kind, data: like } = sequences[0]!;
  const { name, inner, value } = padding;
  const size = inner.reduce((product, dimension) => product * dimension, 1);
  const shape = [sequences.length, ...inner];
  if (kind === 'array' || kind === 'bytes' || kind === 'text') {
    const empty = kind === 'array' ? (value ?? emptyOf(sequences)) : literal(name, kind, value ?? '');
    const padded = new Array<unknown>(size * sequences.length).fill(empty);
    sequences.forEach((sequence, row) => {
      const { data } = sequence;
      copy(sequence.shape, inner, row * size, (from, to, count) => {
        for (let i = 0; i < count; i++)
          padded[to + i] = data instanceof BytesArray ? data.at(from + i) : data[from + i];
      });
    });
    if (kind === 'array') return nested(padded, shape);
    if (kind === 'text') return new DenseTensor('text', shape, padded as string[]);
    return new DenseTensor('bytes', shape, BytesArray.from(padded as Uint8Array[]));
  }
  const numbers = new (arrayClass(like as Numbers))(size * sequences.length);
  // All have one type, and so has the value.
  const target: { fill(value: unknown): void; set(values: ArrayLike<unknown>, at: number): void } = numbers;
  const isInt64 = kind === 'Float64Array' && padding.parsed;
  if (isInt64 && value !== undefined && !Number.isSafeInteger(value)) {
    throw invalidArgValue(optionName(name), 'an integer within ±(2^53 - 1): the values are int64 as numbers', value);
  }
  if (value !== undefined) target.fill(numberOf(name, numbers, kind, value));
  sequences.forEach(({ data, shape: from }, row) => {
    copy(from, inner, row * size, (begin, to, count) => {
      target.set((data as Numbers).subarray(begin, begin + count), to);
    });
  });
  const dtype = isInt64 ? 'int64' : kind;
  if (dtype !== 'float32' && dtype !== 'int64') return { shape, data: numbers };
  return new DenseTensor<DType, Shape, Int64As>(dtype, shape, numbers as never);
}

/** Calls `move(from, to, count)` for each run of neighbouring values of `shape`, with their place in `inner`. */
function copy(
  shape: readonly number[],
  inner: readonly number[],
  to: number,
  move: (from: number, to: number, count: number) => void,
): void {
  let from = 0;
  const level = (depth: number, at: number): void => {
    const count = shape[depth] ?? 1;
    if (depth >= shape.length - 1) {
      move(from, at, count);
      from += count;
      return;
    }
    const step = inner.slice(depth + 1).reduce((product, size) => product * size, 1);
    for (let i = 0; i < count; i++) level(depth + 1, at + i * step);
  };
  level(0, to);
}

function nested(flat: readonly unknown[], shape: readonly number[]): unknown {
  let level = flat;
  for (const size of shape.slice(1).reverse()) {
    const above: unknown[] = [];
    const rows = size === 0 ? 0 : level.length / size;
    for (let row = 0; row < rows; row++) above.push(level.slice(row * size, (row + 1) * size));
    level = size === 0 ? Array.from({ length: shape[0]! }, () => []) : above;
  }
  return level;
}

/** Returns the default padding value: 0 in the type of the values, '' for text. */
function emptyOf(sequences: readonly Sequence[]): PadValue {
  for (const { data } of sequences) {
    const [first] = data as readonly unknown[];
    if (typeof first === 'bigint') return 0n;
    if (typeof first === 'string') return '';
    if (typeof first === 'boolean') return false;
    if (first instanceof Uint8Array) return new Uint8Array(0);
    if (first !== undefined) return 0;
  }
  return 0;
}

function numberOf(name: string, numbers: Numbers, kind: string, value: PadValue): unknown {
  if (kind === 'float32' || kind === 'int64') return literal(name, kind, value);
  if (typeof value === (numbers instanceof BigUint64Array ? 'bigint' : 'number')) return value;
  throw invalidArgValue(optionName(name), `a value of a ${kind}`, value);
}

function optionName(name: string): string {
  return `options.values${name === '' ? '' : `.${name}`}`;
}

function literal(name: string, dtype: DType, value: PadValue): unknown {
  const converted = convertLiteral(dtype, value as never);
  if ('value' in converted) return converted.value;
  throw invalidArgValue(optionName(name), converted.wanted, value);
}
