/** Outcomes of decoding, TensorFlow's and ours, and their comparison. */
import { BytesArray, TFRecordError, type TensorArrays, type TensorDType } from '../../../lib';
import { arrayOf } from '../../support/examples/tensor-proto';
import { hex, unhex } from '../choices';
import type { Peer } from '../peer';

/** The result of one side. `error` is the text of an error. */
export type Outcome<V> = { readonly values: V } | { readonly error: string };

/** A tensor in the form of peer.py. */
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

/** Returns TensorFlow's values in our arrays. */
export function valuesOf(dtype: TensorDType, { data }: PeerTensor): TensorArrays[TensorDType] {
  return typeof data === 'string' ? arrayOf(dtype, unhex(data)) : BytesArray.from(data.map(unhex));
}

/** Returns values that `toEqual` compares correctly, also -0 and NaN: numbers, and byte strings as hex. */
export function listOf(values: TensorArrays[TensorDType]): unknown[] {
  return values instanceof BytesArray ? [...values].map(hex) : [...values];
}
