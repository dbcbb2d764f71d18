import { inspect } from 'node:util';

import type { DType } from '../../tensor';
import type { DefinitionJSON, FeatureDefinition } from './definition';

/** The name of the kind of a feature, which also distinguishes the types. */
export const kind: unique symbol = Symbol('tfrecord.feature.kind');

let inside: (value: object) => FeatureDefinition | undefined;

/** The class of all features of specs. Immutable. */
class SpecFeature {
  readonly [kind]: string;
  readonly dtype: DType;
  readonly #definition: FeatureDefinition;

  static {
    inside = (value) => (#definition in value ? value.#definition : undefined);
  }

  constructor(definition: FeatureDefinition) {
    this[kind] = definition.kind;
    this.dtype = definition.dtype;
    Object.assign(this, definition.shown());
    Object.freeze(definition);
    this.#definition = definition;
    Object.freeze(this);
  }

  toJSON(): DefinitionJSON {
    return this.#definition.json();
  }

  [inspect.custom](): string {
    const { kind: name } = this.#definition;
    return `${name}(${this.#definition.args().map(print).join(', ')})`;
  }
}

function print(value: unknown): string {
  return inspect(value, { breakLength: Infinity, compact: true, depth: 4 });
}

/** Returns the feature that `definition` describes. The caller adds its type. */
export function newFeature(definition: FeatureDefinition): unknown {
  return new SpecFeature(definition);
}

/** Returns the definition of `feature`; undefined for other values. */
export function definitionOf(feature: unknown): FeatureDefinition | undefined {
  return typeof feature === 'object' && feature !== null ? inside(feature) : undefined;
}
