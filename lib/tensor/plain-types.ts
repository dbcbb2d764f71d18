/** The types of plain values, by the options that select them. */
import type { Bytes } from '../base';
import type { BytesForm, Int64Form } from './plain-forms';
import type { DType, Int64As, Shape } from './types';

/** An int64 in form `N`. */
export type PlainInt64<N extends Int64Form> = N extends 'bigint' ? bigint : N extends 'string' ? string : number;

/** Bytes that are not printable text, in JSON. */
export interface Base64 {
  /** The bytes in base64 (RFC 4648, section 4). */
  base64: string;
}

/** A byte string in form `B`. */
export type PlainBytes<B extends BytesForm> = B extends 'bytes' ? Bytes : B extends 'auto' ? string | Base64 : string;

/** A value of type `D` that was parsed with int64 as `I`. */
export type PlainScalar<
  D extends DType,
  I extends Int64As,
  N extends Int64Form,
  B extends BytesForm,
> = D extends 'bytes'
  ? PlainBytes<B>
  : D extends 'text'
    ? string
    : D extends 'int64'
      ? I extends 'number'
        ? number
        : PlainInt64<N>
      : number;

/** Nested arrays of any depth. */
export type PlainLists<V> = V | PlainLists<V>[];

/** Nested arrays of shape `S`. */
export type PlainNested<S extends Shape, V> = S extends readonly []
  ? V
  : S extends readonly [number, ...infer R extends Shape]
    ? PlainNested<R, V>[]
    : PlainLists<V>;

/** A sparse tensor as a plain object. */
export interface PlainSparse<V> {
  /** The coordinates of each value. */
  indices: number[][];
  /** The values of all entries. */
  values: V[];
  /** Sizes of all dimensions. */
  denseShape: number[];
}
