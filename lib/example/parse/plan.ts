/** Compiles a spec to the columns to parse, and to the features to compose of them. */
import { TextEncoder } from 'node:util';

import type { PlanColumn } from '../../native';
import type { BytesAs, StoredDType } from '../../tensor';
import {
  aboutFeature,
  definitionOf,
  KINDS,
  type ContextSpec,
  type FeatureDefinition,
  type Section,
  type SequenceExampleSpec,
  type SequenceSpec,
  type Spec,
} from '../kinds';
import { refuseDuplicates } from '../message';
import { checkNotEmpty, checkSpec, isSequenceSpec, specOfJSON, type NamedFeature } from '../spec';

/** A feature of the spec, and its columns. */
export interface PlannedFeature {
  readonly name: string;
  readonly definition: FeatureDefinition;
  readonly section: Section;
  /** Indices of its columns: the values first, then those of the coordinates, or of the partitions that have a key. */
  readonly columns: readonly number[];
}

/** The columns to parse, and the features that are composed of them. Immutable; the same object for the same features. */
export interface Plan {
  readonly columns: readonly PlanColumn[];
  /** For each column the name of its key, for messages. */
  readonly keys: readonly string[];
  /** Features of the Example, or of the context. */
  readonly features: readonly PlannedFeature[];
  /** Feature lists. */
  readonly sequence: readonly PlannedFeature[];
  readonly sequenceExample: boolean;
}

/** The numbers of the stored types in plans. */
export const COLUMN_KINDS: Readonly<Record<StoredDType, PlanColumn['kind']>> = { bytes: 1, float32: 2, int64: 3 };

/** Returns the plan of a spec of Examples. @throws TFRecordError TFR_SPEC */
export function planExample(spec: Spec, bytes: BytesAs = 'bytes'): Plan {
  const plans = examplePlans[bytes];
  const cached = cachedFor(plans, spec);
  if (cached !== undefined) return cached;
  if (bytes === 'text') return remember(plans, spec, textPlan(planExample(spec)));
  const features = checkSpec(spec, 'example');
  checkNotEmpty(features);
  return remember(plans, spec, newPlan(features, [], false));
}

/** The plan of a spec of SequenceExamples. @throws TFRecordError TFR_SPEC */
export function planSequenceExample(
  context: ContextSpec = EMPTY,
  sequence: SequenceSpec = EMPTY,
  bytes: BytesAs = 'bytes',
): Plan {
  const plan = sequenceSpecPlan(context, sequence);
  return bytes === 'text' ? textPlan(plan) : plan;
}

const textPlans = new WeakMap<Plan, Plan>();

/** `plan` with its bytes as text. @throws TFRecordError TFR_SPEC for a default that is not UTF-8 */
function textPlan(plan: Plan): Plan {
  const known = textPlans.get(plan);
  if (known !== undefined) return known;
  const inText = (features: readonly PlannedFeature[]): PlannedFeature[] =>
    features.map((feature) => ({ ...feature, definition: textDefinition(feature) }));
  const made = { ...plan, features: inText(plan.features), sequence: inText(plan.sequence) };
  textPlans.set(plan, made);
  return made;
}

function textDefinition({ name, definition }: PlannedFeature): FeatureDefinition {
  if (definition.dtype !== 'bytes') return definition;
  const kind = KINDS.find((each) => each.name === definition.kind)!;
  const { type: _type, dtype: _dtype, ...members } = definition.json();
  try {
    return definitionOf(kind.fromJSON('text', members))!;
  } catch (error) {
    throw aboutFeature(name, error);
  }
}

/** The plan of a spec of either kind of records. @throws TFRecordError TFR_SPEC */
export function planSpec(spec: Spec | SequenceExampleSpec): Plan {
  return isSequenceSpec(spec) ? planSequenceExample(spec.context, spec.sequence) : planExample(spec);
}

function sequenceSpecPlan(context: ContextSpec, sequence: SequenceSpec): Plan {
  const plans = cachedFor(sequencePlans, context);
  const cached = plans && cachedFor(plans, sequence);
  if (cached !== undefined) return cached;
  const features = checkSpec(context, 'context');
  const lists = checkSpec(sequence, 'sequence');
  checkNotEmpty(features, lists);
  const bySequence = plans ?? remember(sequencePlans, context, new WeakMap());
  return remember(bySequence, sequence, newPlan(features, lists, true));
}

function newPlan(features: readonly NamedFeature[], lists: readonly NamedFeature[], sequenceExample: boolean): Plan {
  const columns: PlanColumn[] = [];
  const keys: string[] = [];
  const planSection = (named: readonly NamedFeature[], section: Section): PlannedFeature[] => {
    const byKey = new Map<string, number>();
    return named.map(([name, definition]): PlannedFeature => {
      const columnsOf = definition.keys(name).map(({ key, dtype }) => {
        const known = byKey.get(key);
        if (known !== undefined) return known;
        byKey.set(key, columns.length);
        keys.push(key);
        const column = { key: new TextEncoder().encode(key), section, kind: COLUMN_KINDS[dtype] };
        return columns.push({ ...column, ...definition.layout(key, section) }) - 1;
      });
      return { name, definition, section, columns: columnsOf };
    });
  };
  return {
    features: planSection(features, 0),
    sequence: planSection(lists, 1),
    columns,
    keys,
    sequenceExample,
  };
}

/** A plan, and the features that the spec had when it was made: callers may change their specs. */
interface Remembered<T> {
  readonly names: readonly string[];
  readonly features: readonly unknown[];
  readonly made: T;
}
type SpecObject = Readonly<Record<string, unknown>>;
type Cache<T> = WeakMap<SpecObject, Remembered<T>>;

const EMPTY = Object.freeze({});
const examplePlans: Readonly<Record<BytesAs, Cache<Plan>>> = { bytes: new WeakMap(), text: new WeakMap() };
const sequencePlans: Cache<Cache<Plan>> = new WeakMap();

function cachedFor<T>(cache: Cache<T>, spec: SpecObject): T | undefined {
  if (typeof spec !== 'object' || spec === null) return undefined;
  const remembered = cache.get(spec);
  if (remembered === undefined) return undefined;
  const { names, features, made } = remembered;
  let i = 0;
  // No list of names is made: this is asked for every record that is parsed alone.
  for (const name in spec) {
    if (name !== names[i] || spec[name] !== features[i]) return undefined;
    i++;
  }
  return i === names.length ? made : undefined;
}

function remember<T>(cache: Cache<T>, spec: SpecObject, made: T): T {
  cache.set(spec, { names: Object.keys(spec), features: Object.values(spec), made });
  return made;
}

/**
 * The plan of a spec: of Examples in the form of `specToJSON`, or of SequenceExamples as `{ "context": …, "sequence": … }`
 * with a spec in each, or in one of them. @throws SyntaxError for text that is no JSON, or has a name twice in an object.
 * @throws TFRecordError TFR_SPEC
 */
export function planFromText(text: string): Plan {
  const json: unknown = JSON.parse(text);
  refuseDuplicates(text);
  return planSpec(specOfJSON(json));
}
