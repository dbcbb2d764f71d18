/** Specs to and from JSON; the form is told at `featureToJSON`. */
import { checkName, show } from './check';
import { detailsOf } from './spec-feature';
import { featureToJSON, type FeatureJSON } from './feature-json';
import { fixedLen, type FixedLenOptions } from './fixed-len';
import { fixedLenSequence, type FixedLenSequenceOptions } from './fixed-len-sequence';
import type { ContextSpec, FeatureSpec, SequenceExampleSpec, SequenceSpec, Spec } from './infer';
import { ragged } from './ragged';
import { sparse, type SparseOptions } from './sparse';
import { aboutFeature, specError } from './spec-error';
import { checkFeatureCount } from './validate-spec';
import { varLen } from './var-len';
import type { DType } from '../../tensor';

/** The members of each `type` besides `type` and `dtype`. */
const MEMBERS = {
  fixedLen: ['shape', 'default'],
  varLen: [],
  fixedLenSequence: ['shape', 'allowMissing', 'default'],
  sparse: ['indexKey', 'valueKey', 'size', 'alreadySorted'],
  ragged: ['valueKey', 'partitions', 'rowSplitsDtype', 'validate'],
} as const satisfies Record<FeatureJSON['type'], readonly string[]>;

type JSONObject = Readonly<Record<string, unknown>>;

/**
 * `spec` as JSON, from which `specFromJSON` makes the same spec: an object of feature name to
 * `{ "type": "fixedLen", "dtype": "int64", "shape": [] }`. It is what `JSON.stringify` gives, too. int64 defaults are exact
 * (beyond ±(2^53 − 1) strings of digits); defaults of bytes are text, or `{ "base64": … }`.
 * @throws TFRecordError TFR_SPEC where a value is no feature.
 */
export function specToJSON(spec: Spec): Record<string, FeatureJSON> {
  const json = Object.create(null) as Record<string, FeatureJSON>;
  for (const [name, feature] of Object.entries(asObject(spec, 'a spec'))) {
    const details = detailsOf(feature);
    if (details === undefined) throw specError(`${show(feature)} is no feature of a spec`, { feature: name });
    json[name] = featureToJSON(details);
  }
  return json;
}

/**
 * The spec that `json`, parsed JSON of the form of `specToJSON`, tells; an object without a prototype, for a feature may be
 * called `__proto__`. @throws TFRecordError TFR_SPEC naming the feature that is wrong.
 */
export function specFromJSON(json: unknown): Spec {
  const spec = Object.create(null) as Record<string, FeatureSpec>;
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
 * The spec of SequenceExamples that `{ "context": …, "sequence": … }` tells, each of the form of `specToJSON`; either may be
 * missing. @throws TFRecordError TFR_SPEC
 */
export function sequenceSpecFromJSON(json: unknown): SequenceExampleSpec {
  const { context = {}, sequence = {}, ...others } = asObject(json, 'a spec of SequenceExamples');
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw specError(`${show(other)} is no part of a spec of SequenceExamples; it has "context" and "sequence"`, {
      expected: 'context and sequence',
      found: other,
    });
  }
  return { context: specFromJSON(context) as ContextSpec, sequence: specFromJSON(sequence) as SequenceSpec };
}

function featureFromJSON(json: unknown): FeatureSpec {
  const { type, dtype, ...rest } = asObject(json, 'a feature');
  const members: readonly string[] | undefined = Object.entries(MEMBERS).find(([name]) => name === type)?.[1];
  if (members === undefined) {
    throw specError(`the type is ${show(type)}; it is one of ${Object.keys(MEMBERS).join(', ')}`, {
      expected: Object.keys(MEMBERS).join(', '),
      found: show(type),
    });
  }
  for (const member of Object.keys(rest)) {
    if (members.includes(member)) continue;
    const known = ['type', 'dtype', ...members].join(', ');
    throw specError(`${show(type)} has no member ${show(member)}; its members are ${known}`, {
      expected: known,
      found: member,
    });
  }
  const of = dtype as DType;
  switch (type as FeatureJSON['type']) {
    case 'fixedLen':
      return fixedLen(rest['shape'] as number[], of, withDefault(of, rest) as FixedLenOptions<DType>);
    case 'varLen':
      return varLen(of);
    case 'fixedLenSequence': {
      checkFlag(rest, 'allowMissing');
      const { allowMissing, default: value } = withDefault(of, rest) as FixedLenSequenceOptions<DType>;
      return fixedLenSequence(rest['shape'] as number[], of, { allowMissing, default: value });
    }
    case 'sparse':
      checkFlag(rest, 'alreadySorted');
      return sparse({ ...rest, dtype: of } as SparseOptions<DType>);
    case 'ragged':
      checkFlag(rest, 'validate');
      return ragged({ ...rest, dtype: of });
  }
}

/** Options with the default as literals; without the shape. */
function withDefault(dtype: DType, { shape: _shape, default: value, ...options }: JSONObject): JSONObject {
  if (value === undefined) return options;
  const literals = Array.isArray(value)
    ? value.map((one: unknown) => literalFromJSON(dtype, one))
    : literalFromJSON(dtype, value);
  return { ...options, default: literals };
}

/** The literal behind JSON; what is none stays as it is, for the feature's own check. */
function literalFromJSON(dtype: DType, json: unknown): unknown {
  switch (dtype) {
    case 'float32':
      return typeof json === 'string' && /^(NaN|-?Infinity|-0)$/.test(json) ? Number(json) : json;
    case 'int64':
      return typeof json === 'string' && /^-?\d{1,20}$/.test(json) ? BigInt(json) : json;
    case 'bytes':
      return typeof json === 'object' && json !== null ? fromBase64(json as JSONObject) : json;
    default:
      return json;
  }
}

function fromBase64({ base64, ...others }: JSONObject): Uint8Array {
  const bytes = typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined;
  if (bytes === undefined || Object.keys(others).length > 0 || bytes.toString('base64') !== base64) {
    throw specError('a default of bytes is text, or { "base64": … } in standard base64 with padding', {
      expected: 'base64',
      found: show(base64),
    });
  }
  return new Uint8Array(bytes);
}

function checkFlag(json: JSONObject, member: string): void {
  const value = json[member];
  if (value === undefined || typeof value === 'boolean') return;
  throw specError(`${member} is ${show(value)}; it is true or false`, {
    expected: 'true or false',
    found: show(value),
  });
}

function asObject(json: unknown, what: string): JSONObject {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as JSONObject;
  throw specError(`${what} is an object; this is ${show(json)}`, { expected: 'an object', found: show(json) });
}
