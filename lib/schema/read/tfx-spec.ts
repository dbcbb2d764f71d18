/**
 * Makes the spec that TFX makes from a `Schema`: from its tensor representations, sparse features and other features.
 */
import { TFRecordError } from '../../base';
import { fixedLen, fixedLenSequence, ragged, sparse, varLen, type FeatureSpec } from '../../example';
import { emptySpec, type FeatureSection, type SchemaFeature, type SchemaSpec } from '../feature';
import { SEQUENCE, type RepresentationMessage, type SchemaMessage } from '../message/schema-message';
import { isIdle, shapeOf, type TfxFeature } from './tfx-features';

type StoredKind = 'bytes' | 'float32' | 'int64';

/** Builds the spec of one schema. */
class SpecBuilder {
  readonly parts: Record<FeatureSection, Record<string, FeatureSpec>> = { context: emptySpec(), sequence: emptySpec() };
  readonly #schema: SchemaMessage;
  readonly #features = new Map<string, TfxFeature>();
  /** Features that the spec already reads. */
  readonly #read = new Set<string>();
  readonly #sequenceExamples: boolean;

  constructor(schema: SchemaMessage, features: readonly TfxFeature[]) {
    this.#schema = schema;
    for (const feature of features) this.#features.set(keyOf(feature.section, feature.name), feature);
    this.#sequenceExamples = features.some(({ section }) => section === 'sequence');
  }

  /** Adds a tensor representation. */
  represent(
    name: string,
    { denseTensor, varlenSparseTensor, sparseTensor, raggedTensor }: RepresentationMessage,
  ): void {
    if (denseTensor !== undefined) {
      const { columnName = name, shape, defaultValue } = denseTensor;
      const kind = this.#take('context', columnName);
      const sizes = (shape && shapeOf(shape)) ?? [];
      this.parts.context[columnName] = fixedLen(sizes, kind, defaultOf(kind, sizes, defaultValue));
    } else if (varlenSparseTensor !== undefined) {
      const { columnName = name } = varlenSparseTensor;
      this.parts.context[columnName] = varLen(this.#take('context', columnName));
    } else if (sparseTensor !== undefined) {
      const { indexColumnNames, valueColumnName = '', denseShape, alreadySorted } = sparseTensor;
      const sizes = denseShape?.dim.map(({ size }) => (size === undefined || size < 0n ? undefined : Number(size)));
      this.sparse(name, indexColumnNames, valueColumnName, sizes ?? [], alreadySorted ?? false);
    } else if (raggedTensor !== undefined) {
      this.#ragged(name, raggedTensor);
    }
  }

  /**
   * Adds a sparse feature. Sizes that are not given are taken from the domains of the indices; without a domain, the
   * parts stay separate.
   */
  sparse(
    name: string,
    indexKey: readonly string[],
    valueKey: string,
    given: readonly (number | undefined)[],
    alreadySorted: boolean,
  ): void {
    const size = indexKey.map((key, i) => given[i] ?? this.#sizeOf(key));
    if (this.#sequenceExamples || !size.every((each) => each !== undefined) || size.some((each) => each <= 0)) return;
    const dtype = this.#take('context', valueKey);
    for (const key of indexKey) this.#take('context', key);
    this.parts.context[name] = sparse({ indexKey, valueKey, dtype, size, alreadySorted });
  }

  /** Adds the features that no other member reads. */
  rest(): void {
    const { generateLegacyFeatureSpec: legacy, representVariableLengthAsRagged: asRagged } = this.#schema;
    for (const [key, feature] of this.#features) {
      if (this.#read.has(key) || feature.kind === 'none') continue;
      this.parts[feature.section][feature.name] = featureOf(feature, legacy === true, asRagged === true);
    }
  }

  #ragged(
    name: string,
    { featurePath, partition, rowPartitionDtype }: NonNullable<RepresentationMessage['raggedTensor']>,
  ): void {
    const steps = featurePath?.step ?? [];
    const section = steps.length > 1 && steps[0] === SEQUENCE ? 'sequence' : 'context';
    const valueKey = steps.at(-1) ?? name;
    if (steps.length > (section === 'sequence' ? 2 : 1)) throw noFeature(steps.join('.'));
    const dtype = this.#take(section, valueKey);
    const partitions = partition.map(({ uniformRowLength, rowLength }) => {
      if (rowLength === undefined) return { by: 'uniformRowLength', length: Number(uniformRowLength ?? 0n) } as const;
      this.#take(section, rowLength);
      return { by: 'rowLengths', key: rowLength } as const;
    });
    this.parts[section][name] = ragged({
      dtype,
      ...(valueKey !== name && { valueKey }),
      partitions,
      rowSplitsDtype: rowPartitionDtype === INT32_PARTITIONS ? 'int32' : 'int64',
    });
  }

  /** Returns the kind of a feature that a tensor reads, and marks the feature as read. */
  #take(section: FeatureSection, name: string): StoredKind {
    const key = keyOf(section, name);
    const kind = this.#features.get(key)?.kind;
    if (kind === undefined || kind === 'none' || kind === 'mixed') throw noFeature(name);
    this.#read.add(key);
    return kind;
  }

  #sizeOf(index: string): number | undefined {
    const domain = this.#features.get(keyOf('context', index))?.domain;
    return domain?.type === 'int64' && domain.max !== undefined ? Number(domain.max) + 1 : undefined;
  }
}

/** `INT32` of `RowPartitionDType`. */
const INT32_PARTITIONS = 2;

/**
 * The spec that reads the features of `schema`: by its default group of tensor representations (or the only one), and
 * by its sparse features. Other features are read as in TFX: `fixedLen` with a shape and in each record, else `varLen`.
 * @throws TFRecordError TFR_SPEC if a tensor needs a feature that the schema lacks
 */
export function tfxSpec(schema: SchemaMessage, features: readonly TfxFeature[]): SchemaSpec {
  const builder = new SpecBuilder(schema, features);
  const groups = Object.values(schema.tensorRepresentationGroup);
  const group = schema.tensorRepresentationGroup[''] ?? (groups.length === 1 ? groups[0] : undefined);
  for (const [name, tensor] of Object.entries(group?.tensorRepresentation ?? {})) builder.represent(name, tensor);
  for (const feature of schema.sparseFeature) {
    const { name = '', indexFeature, valueFeature, denseShape, isSorted } = feature;
    if (isIdle(feature)) continue;
    const keys = indexFeature.map((index) => index.name ?? '');
    const sizes = (denseShape && shapeOf(denseShape)) ?? [];
    builder.sparse(name, keys, valueFeature?.name ?? '', sizes, isSorted ?? false);
  }
  builder.rest();
  const { context, sequence } = builder.parts;
  return (features.some(({ section }) => section === 'sequence') ? { context, sequence } : context) as SchemaSpec;
}

function keyOf(section: FeatureSection, name: string): string {
  return `${section} ${name}`;
}

/** Defaults for missing values, in schemas that request TFX's older specs. */
const LEGACY_DEFAULTS = { bytes: '', int64: -1, float32: -1 } as const;

function featureOf(feature: SchemaFeature, legacy: boolean, asRagged: boolean): FeatureSpec {
  const { section, shape, valueCount, presence } = feature;
  const kind = feature.kind as StoredKind;
  const required = presence?.minFraction === 1;
  if (section === 'sequence') {
    if (shape?.every((size) => size > 0) !== true) return ragged({ dtype: kind });
    return fixedLenSequence(shape, kind, required ? undefined : { allowMissing: true });
  }
  if (shape !== undefined && required) return fixedLen(shape, kind);
  if (legacy && shape === undefined && valueCount?.min === 1 && valueCount.max === 1) {
    return required ? fixedLen([], kind) : fixedLen([], kind, { default: LEGACY_DEFAULTS[kind] as never });
  }
  return asRagged ? ragged({ dtype: kind, rowSplitsDtype: 'int64' }) : varLen(kind);
}

type DefaultMessage = NonNullable<RepresentationMessage['denseTensor']>['defaultValue'];

/** The options of a dense tensor, all of whose elements have the default. */
function defaultOf(kind: StoredKind, shape: readonly number[], given: DefaultMessage): { default: never } | undefined {
  if (given === undefined) return undefined;
  const { floatValue, intValue, bytesValue, uintValue } = given;
  const value = kind === 'bytes' ? bytesValue : kind === 'int64' ? (intValue ?? uintValue) : (floatValue ?? intValue);
  if (value === undefined) {
    throw new TFRecordError('TFR_SPEC', `A default of the schema is not of the type of its feature, ${kind}`, {
      expected: kind,
    });
  }
  const literal = kind === 'float32' ? Number(value) : value;
  const count = shape.reduce((product, size) => product * size, 1);
  return { default: (shape.length === 0 ? literal : Array<unknown>(count).fill(literal)) as never };
}

function noFeature(name: string): TFRecordError {
  return new TFRecordError(
    'TFR_SPEC',
    `A tensor of the schema is made of feature ${JSON.stringify(name)}, which the schema does not describe with a type`,
    { feature: name, expected: 'a feature of the schema', found: 'none' },
  );
}
