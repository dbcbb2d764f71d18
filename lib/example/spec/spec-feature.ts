import { inspect } from 'node:util';

import type { DType } from '../../tensor';
import type { FeatureDetails } from './details';
import { featureToJSON, type FeatureJSON } from './feature-json';
import { printFeature } from './print-feature';

/** Tells the feature classes apart, for the compiler too. */
export const kind: unique symbol = Symbol('tfrecord.feature.kind');

let inside: (value: object) => FeatureDetails | undefined;

/** The one class behind all features of a spec. Immutable. */
class SpecFeature {
  readonly [kind]: FeatureDetails['kind'];
  readonly dtype: DType;
  readonly #details: FeatureDetails;

  static {
    inside = (value) => (#details in value ? value.#details : undefined);
  }

  constructor(details: FeatureDetails) {
    this[kind] = details.kind;
    this.dtype = details.dtype;
    for (const name of ['shape', 'partitions'] as const) {
      if (name in details) Object.defineProperty(this, name, { value: (details as never)[name], enumerable: true });
    }
    this.#details = Object.freeze(details);
    Object.freeze(this);
  }

  toJSON(): FeatureJSON {
    return featureToJSON(this.#details);
  }

  [inspect.custom](): string {
    return printFeature(this.#details);
  }
}

/** The feature made of `details`, to be given the type that says what they are. */
export function newFeature(details: FeatureDetails): unknown {
  return new SpecFeature(details);
}

/** What `feature` is made of; undefined for what is no feature of a spec. */
export function detailsOf(feature: unknown): FeatureDetails | undefined {
  return typeof feature === 'object' && feature !== null ? inside(feature) : undefined;
}
