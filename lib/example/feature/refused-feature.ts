/**
 * Features of values that do not fit. `int64(1.5)` cannot name the feature that it is meant for, the encoder can: so
 * the refusal waits until the values are wanted.
 */
import type { Feature, FeatureArrays, FeatureKind, FeatureOf } from '../message';

/** Throws what is wrong with the values of the feature `name` (`features.age`). */
export type Refuse = (name: string) => never;

const refusals = new WeakMap<object, Refuse>();

/**
 * The feature of `values`; when `convert` throws, one that throws the same, with the feature's name, as soon as it is
 * encoded, and without one when its values are read. `convert` is told what to call the values.
 */
export function featureOf<K extends FeatureKind, T>(
  kind: K,
  values: T,
  convert: (name: string, values: T) => FeatureArrays[K],
): FeatureOf<K> {
  try {
    return { kind, values: convert(kind, values) };
  } catch (cause) {
    const refuse: Refuse = (name) => {
      try {
        convert(name, values);
      } catch (error) {
        // Where the values were given is the stack of the cause.
        if (error instanceof Error) error.cause = cause;
        throw error;
      }
      throw cause;
    };
    const refused: FeatureOf<K> = {
      kind,
      get values() {
        return refuse(kind);
      },
    };
    refusals.set(refused, refuse);
    return refused;
  }
}

/** Throws when `feature` was refused. */
export function checkRefused(name: string, feature: Feature): void {
  refusals.get(feature)?.(name);
}
