/** Converts specs to JSON and back. Each kind of feature defines its own form. */
import { isObject, newRecord } from '../../base';
import type { DType } from '../../tensor';
import {
  aboutFeature,
  checkName,
  definitionOf,
  KINDS,
  show,
  specError,
  type ContextSpec,
  type FeatureJSON,
  type FeatureSpec,
  type JSONObject,
  type SequenceExampleSpec,
  type SequenceSpec,
  type Spec,
} from '../kinds';
import { checkFeatureCount } from './validate-spec';

/**
 * Returns `spec` as JSON, from which `specFromJSON` makes the same spec: an object with a member for each feature, such
 * as `{ "type": "fixedLen", "dtype": "int64", "shape": [] }`. `JSON.stringify(spec)` contains the same. Defaults of
 * int64 are exact: beyond ±(2^53 − 1) they are strings of digits. Defaults of bytes are text, or `{ "base64": … }`.
 * @throws TFRecordError TFR_SPEC if a value is not a feature
 *
 * @example
 * JSON.stringify(specToJSON({ tags: varLen('bytes') })); // {"tags":{"type":"varLen","dtype":"bytes"}}
 */
export function specToJSON(spec: Spec): Record<string, FeatureJSON> {
  const json = newRecord<FeatureJSON>();
  for (const [name, feature] of Object.entries(asObject(spec, 'a spec'))) {
    const definition = definitionOf(feature);
    if (definition === undefined) throw specError(`${show(feature)} is not a feature of a spec`, { feature: name });
    json[name] = definition.json() as FeatureJSON;
  }
  return json;
}

/**
 * Returns the spec that `json` describes: parsed JSON in the form of `specToJSON`. The spec is an object without a
 * prototype, because a feature may be called `__proto__`. @throws TFRecordError TFR_SPEC, naming the feature that is
 * wrong
 *
 * @example
 * const spec = specFromJSON({ id: { type: 'fixedLen', dtype: 'int64', shape: [] } });
 */
export function specFromJSON(json: unknown): Spec {
  const spec = newRecord<FeatureSpec>();
  const features = asObject(json, 'a spec');
  checkFeatureCount(Object.keys(features).length);
  for (const [name, feature] of Object.entries(features)) {
    try {
      checkName('the name', name);
      spec[name] = featureFromJSON(feature);
    } catch (error) {
      throw aboutFeature(name, error);
    }
  }
  return spec;
}

/**
 * Returns the spec of SequenceExamples that `{ "context": …, "sequence": … }` describes, each in the form of
 * `specToJSON`; either may be missing. @throws TFRecordError TFR_SPEC
 *
 * @example
 * const { context, sequence } = sequenceSpecFromJSON({ sequence: { words: { type: 'varLen', dtype: 'bytes' } } });
 */
export function sequenceSpecFromJSON(json: unknown): SequenceExampleSpec {
  const { context = {}, sequence = {}, ...others } = asObject(json, 'a spec of SequenceExamples');
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw specError(`Unknown member ${show(other)} in a spec of SequenceExamples: expected "context" or "sequence"`, {
      expected: 'context and sequence',
      found: other,
    });
  }
  return { context: specFromJSON(context) as ContextSpec, sequence: specFromJSON(sequence) as SequenceSpec };
}

/** Returns the spec that parsed JSON describes, for Examples or SequenceExamples. @throws TFRecordError TFR_SPEC */
export function specOfJSON(json: unknown): Spec | SequenceExampleSpec {
  return isSequenceJSON(json) ? sequenceSpecFromJSON(json) : specFromJSON(json);
}

/**
 * True for the JSON of a spec of SequenceExamples. The JSON of a feature called `context` has a string `type`; a spec
 * with a feature called `type` has an object there.
 */
function isSequenceJSON(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false;
  const parts = Object.entries(json);
  return (
    parts.length > 0 &&
    parts.every(([name, part]) => {
      const isPart = name === 'context' || name === 'sequence';
      return isPart && !(isObject(part) && typeof part['type'] === 'string');
    })
  );
}

/** True for a spec of SequenceExamples: it has no members but `context` and `sequence`, and they are not features. */
export function isSequenceSpec(spec: Spec | SequenceExampleSpec): spec is SequenceExampleSpec {
  if (!isObject(spec)) return false;
  const parts = Object.entries(spec).filter(([, part]) => part !== undefined);
  return (
    parts.length > 0 &&
    parts.every(
      ([name, part]) =>
        (name === 'context' || name === 'sequence') && isObject(part) && definitionOf(part) === undefined,
    )
  );
}

/**
 * Returns `spec`, of Examples or SequenceExamples, as the JSON text that `planFromText` reads. @throws TFRecordError
 * TFR_SPEC
 */
export function specText(spec: Spec | SequenceExampleSpec): string {
  if (!isSequenceSpec(spec)) return JSON.stringify(specToJSON(spec));
  const { context = {}, sequence = {} } = spec;
  return JSON.stringify({ context: specToJSON(context), sequence: specToJSON(sequence) });
}

function featureFromJSON(json: unknown): FeatureSpec {
  const { type, dtype, ...rest } = asObject(json, 'a feature');
  const known = KINDS.find(({ name }) => name === type);
  if (known === undefined) {
    const names = KINDS.map(({ name }) => name).join(', ');
    throw specError(`the type is ${show(type)}; it is one of ${names}`, { expected: names, found: show(type) });
  }
  for (const member of Object.keys(rest)) {
    if (known.members.includes(member)) continue;
    const members = ['type', 'dtype', ...known.members].join(', ');
    throw specError(`${show(type)} has no member ${show(member)}; its members are ${members}`, {
      expected: members,
      found: member,
    });
  }
  return known.fromJSON(dtype as DType, rest);
}

function asObject(json: unknown, what: string): JSONObject {
  if (isObject(json) && !Array.isArray(json)) return json;
  throw specError(`${what} is an object; this is ${show(json)}`, { expected: 'an object', found: show(json) });
}
