/** Random features, and our encoders' records of them. Each seed is a case. */
import {
  BytesArray,
  encodeExample,
  encodeExamples,
  encodeSequenceExample,
  exampleEncoder,
  parseExample,
  rowsOf,
  specFromJSON,
  TFRecordError,
  type Batch,
  type Feature,
  type FeatureJSON,
  type Spec,
} from '../../../lib';
import { storedDType, type StoredDType as DType } from '../../../lib/tensor';
import { Choices, hex } from '../choices';
import { batchSize, styleOf } from './cases';
import { encode } from './encode';
import {
  indexKeysOf,
  partitionsOf,
  valueKeyOf,
  violationOf,
  type FeatureModel,
  type RecordModel,
  type SpecModel,
} from './model';
import { ours, type ParseRequest } from './outcomes';
import { fittingRecord } from './records';
import { randomSpec } from './specs';

export interface EncodeCase {
  readonly spec: SpecModel;
  /** The records, made by hand. */
  readonly request: ParseRequest;
  /** The same rows, written by our encoders. */
  readonly encoded: Readonly<Record<string, readonly Uint8Array[]>>;
  /** True if two features with the same key have different values after parsing. */
  readonly disagree: boolean;
}

/** Returns the case of a seed; undefined if its records do not fit its spec, so that there are no columns. */
export function encodeCase(seed: number): EncodeCase | undefined {
  const choices = new Choices(seed);
  const form = choices.chance(0.75) ? 'example' : 'sequence';
  const spec = randomSpec(choices, { form, plain: false });
  const models = choices.list(batchSize(choices), () => fittingRecord(choices, spec));
  if (models.some((model) => violationOf(model, spec) !== undefined)) return undefined;
  const style = styleOf(choices, form, spec, undefined, undefined);
  const request: ParseRequest = {
    form,
    single: false,
    spec: form === 'example' ? spec.context : spec,
    records: models.map((model) => encode(choices, model, style).toString('hex')),
    canonical: false,
  };
  if ('error' in ours(request, spec)) return undefined;
  if (form === 'sequence') {
    return { spec, request, encoded: { encodeSequenceExample: sequencesOf(models, spec) }, disagree: false };
  }
  const records = models.map(({ features }) => encodeExample(featuresOf(features, spec.context)));
  const columns = columnsOf(request);
  return {
    spec,
    request,
    encoded: { encodeExample: records, ...(columns && { encodeExamples: columns }) },
    disagree: columns === undefined,
  };
}

/** Encodes the columns that the records parse to; undefined if features with the same key disagree. */
function columnsOf({ spec, records }: ParseRequest): readonly Uint8Array[] | undefined {
  const features = specFromJSON(spec);
  const batch = parseExample(
    records.map((record) => new Uint8Array(Buffer.from(record, 'hex'))),
    features,
  );
  try {
    const plain = oneNaN(batch);
    const rows = Array.from(rowsOf(plain, features), exampleEncoder(features));
    expect([...encodeExamples(plain, features)].map(hex)).toEqual(rows.map(hex));
    return [...encodeExamples(batch, features)];
  } catch (error) {
    const shared = error instanceof TFRecordError && error.expected?.endsWith('that other features share');
    if (shared !== true) throw error;
    return undefined;
  }
}

/** Replaces all NaNs by one: in a row, a float32 is a number, and the engine may change the bits of a NaN. */
function oneNaN(batch: Batch<Spec>): Batch<Spec> {
  const columns = Object.entries(batch).map(([name, column]: [string, unknown]) => [
    name,
    column instanceof Float32Array ? withOneNaN(column) : column,
  ]);
  return Object.fromEntries(columns) as Batch<Spec>;
}

function withOneNaN(floats: Float32Array): Float32Array {
  const copy = floats.slice();
  const bits = new Uint32Array(copy.buffer);
  copy.forEach((value, i) => {
    if (Number.isNaN(value)) bits[i] = 0x7fc0_0000;
  });
  return copy;
}

function sequencesOf(models: readonly RecordModel[], spec: SpecModel): Uint8Array[] {
  const dtypes = dtypesOf(spec.sequence);
  return models.map(({ features, lists }) =>
    encodeSequenceExample({
      context: featuresOf(features, spec.context),
      featureLists: Object.fromEntries(
        [...lists].map(([key, steps]) => [key, steps.map((step) => featureOf(step, dtypes.get(key)!))]),
      ),
    }),
  );
}

/** Returns the features without those that have no kind, which encoders leave out. */
function featuresOf(
  features: RecordModel['features'],
  spec: Readonly<Record<string, FeatureJSON>>,
): Record<string, Feature> {
  const dtypes = dtypesOf(spec);
  const kept = [...features].filter(([, { dtype }]) => dtype !== undefined);
  return Object.fromEntries(kept.map(([key, feature]) => [key, featureOf(feature, dtypes.get(key)!)]));
}

/** Returns a step as a feature. A step without a kind becomes one without values. */
function featureOf({ dtype, values }: FeatureModel, wanted: DType): Feature {
  switch (dtype ?? wanted) {
    case 'bytes':
      return { kind: 'bytes', values: BytesArray.from(values as Buffer[]) };
    case 'float32':
      return { kind: 'float', values: new Float32Array(Uint32Array.from(values as number[]).buffer) };
    case 'int64':
      return { kind: 'int64', values: BigInt64Array.from(values as bigint[]) };
  }
}

/** Returns the dtypes by key. */
function dtypesOf(spec: Readonly<Record<string, FeatureJSON>>): ReadonlyMap<string, DType> {
  const dtypes = new Map<string, DType>();
  for (const [name, feature] of Object.entries(spec)) {
    if (feature.type === 'sparse') for (const key of indexKeysOf(feature)) dtypes.set(key, 'int64');
    if (feature.type === 'ragged') {
      for (const partition of partitionsOf(feature)) if ('key' in partition) dtypes.set(partition.key, 'int64');
    }
    dtypes.set(
      feature.type === 'sparse' || feature.type === 'ragged' ? valueKeyOf(name, feature) : name,
      storedDType(feature.dtype),
    );
  }
  return dtypes;
}
