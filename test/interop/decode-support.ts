/** Helpers of the decoders' interop tests: random choices, outcomes of both sides, and their comparison. */
import { BytesArray, TFRecordError, type TensorArrays, type TensorDType } from '../../lib';
import { randoms } from '../support/randoms';
import { arrayOf } from '../support/tensor-proto';
import type { Peer } from './peer';

/** Number of pairs: a tenth in ordinary runs. */
export const PAIRS = process.env['TFRECORD_FULL'] === '1' ? 20_000 : 2_000;

/** The result of one side. `error` is the text of an error. */
export type Outcome<V> = { readonly values: V } | { readonly error: string };

/** A tensor in the form of decode_peer.py. */
export interface PeerTensor {
  readonly shape: readonly number[];
  readonly data: string | readonly string[];
}

const CASES_A_REQUEST = 250;

/** Returns TensorFlow's outcomes of `cases`, in order. */
export async function theirs<V>(peer: Peer, op: string, cases: readonly object[]): Promise<Outcome<V>[]> {
  const outcomes: Outcome<V>[] = [];
  for (let i = 0; i < cases.length; i += CASES_A_REQUEST) {
    const request = { op, cases: cases.slice(i, i + CASES_A_REQUEST) };
    outcomes.push(...(await peer.exchange<Outcome<V>[]>(request)));
  }
  return outcomes;
}

/** Returns our outcome. Only errors about damage are outcomes; all others fail the test. */
export function ours<V>(run: () => V): Outcome<V> {
  try {
    return { values: run() };
  } catch (error) {
    if (!(error instanceof TFRecordError) || error.code !== 'TFR_DECODE') throw error;
    return { error: error.message };
  }
}

export const hex = (value: string | Uint8Array): string => Buffer.from(value).toString('hex');
export const unhex = (value: string): Buffer => Buffer.from(value, 'hex');

/** Returns TensorFlow's values in our arrays. */
export function valuesOf(dtype: TensorDType, { data }: PeerTensor): TensorArrays[TensorDType] {
  return typeof data === 'string' ? arrayOf(dtype, unhex(data)) : BytesArray.from(data.map(unhex));
}

/** Returns values that `toEqual` compares correctly, also -0 and NaN: numbers, and byte strings as hex. */
export function listOf(values: TensorArrays[TensorDType]): unknown[] {
  return values instanceof BytesArray ? [...values].map(hex) : [...values];
}

/** Random choices from a seed. */
export class Choices {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randoms(seed);
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  one<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  list<T>(length: number, make: (index: number) => T): T[] {
    return Array.from({ length }, (_, i) => make(i));
  }

  bytes(length: number): Buffer {
    return Buffer.from(this.list(length, () => this.below(256)));
  }
}
