/** Converts features, ours and those of protobufjs's messages, to plain values that can be compared. */
import { recordType, type Feature } from '../../../../lib';
import type { tensorflow } from '../../../../lib/example/message/messages.generated';

interface Long {
  readonly low: number;
  readonly high: number;
}
export interface Plain {
  readonly kind: string;
  readonly values: readonly unknown[];
}

/** Floats as their bits: NaN is equal to itself then, and -0 differs from 0. */
function bits(value: number): number {
  return new DataView(Float32Array.of(value).buffer).getInt32(0);
}

export function plainDecoded(feature: Feature | undefined): Plain | undefined {
  if (feature === undefined) return undefined;
  const { kind, values } = feature;
  if (kind === 'bytes') return { kind, values: [...(values as Iterable<Uint8Array>)].map((value) => [...value]) };
  if (kind === 'float') return { kind, values: [...values].map(bits) };
  return { kind, values: [...values] };
}

/** What protobufjs says, which keeps every kind that it met and names the last. */
export function plainMessage(feature: tensorflow.Feature.$Properties): Plain | undefined {
  switch (feature.kind) {
    case 'bytesList':
      return { kind: 'bytes', values: feature.bytesList!.value!.map((value) => [...value]) };
    case 'floatList':
      return { kind: 'float', values: feature.floatList!.value!.map(bits) };
    case 'int64List': {
      const values = feature.int64List!.value as unknown as Long[];
      return {
        kind: 'int64',
        values: values.map(({ low, high }) => BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low >>> 0))),
      };
    }
    default:
      return undefined;
  }
}

/** Types that are never read as Examples, as errors name them. */
const FOREIGN: readonly unknown[] = [
  'a message of another type',
  'an ExampleListWithContext of TF-Ranking',
  'a PredictionLog of TensorFlow Serving',
];

/** Returns what `action` does; undefined if it refuses a record because it is a message of another type. */
export function unlessForeign<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (FOREIGN.includes((error as { found?: unknown }).found)) return undefined;
    throw error;
  }
}

/**
 * True if all bytes of `record` fit a message of TF-Ranking or TensorFlow Serving. Such a record is refused even if it has
 * values as a SequenceExample: the logs of a model have some, which are none of its features.
 */
export function fitsForeign(record: Uint8Array): boolean {
  const type = recordType(record);
  return type === 'ExampleListWithContext' || type === 'PredictionLog';
}
