/** Makes random records that fit a spec, and faults because of which one of them no longer fits. */
import type { FeatureJSON, Partition } from '../../../lib';
import { storedDType, type StoredDType as DType } from '../../../lib/tensor';
import type { Choices } from '../choices';
import {
  indexKeysOf,
  partitionsOf,
  shapeOf,
  sizeOf,
  sizesOf,
  valueKeyOf,
  type FeatureModel,
  type RecordModel,
  type SpecModel,
  type Value,
} from './model';

const KINDLESS: FeatureModel = { dtype: undefined, values: [] };
const DTYPES: readonly DType[] = ['float32', 'int64', 'bytes'];

export function fittingRecord(choices: Choices, spec: SpecModel): RecordModel {
  const record: RecordModel = { features: new Map(), lists: new Map() };
  const inContext = Object.keys(spec.sequence).length > 0;
  for (const [name, feature] of Object.entries(spec.context)) fillFeature(choices, record, name, feature, inContext);
  for (const [name, feature] of Object.entries(spec.sequence)) fillList(choices, record, name, feature);
  return record;
}

function fillFeature(
  choices: Choices,
  { features }: RecordModel,
  name: string,
  feature: FeatureJSON,
  inContext: boolean,
): void {
  const dtype = storedDType(feature.dtype);
  const set = (key: string, values: readonly Value[], of: DType = dtype): void => {
    if (values.length === 0 && choices.chance(0.4)) return;
    features.set(key, values.length === 0 && choices.chance(0.3) ? KINDLESS : { dtype: of, values });
  };
  switch (feature.type) {
    case 'fixedLen': {
      const absent = 'default' in feature && sizeOf(shapeOf(feature)) > 0 && choices.chance(0.3);
      if (!absent) features.set(name, { dtype, values: values(choices, dtype, sizeOf(shapeOf(feature))) });
      else if (!inContext && choices.chance(0.4)) features.set(name, KINDLESS);
      return;
    }
    case 'varLen':
      return set(name, values(choices, dtype, few(choices)));
    case 'fixedLenSequence':
      return set(name, values(choices, dtype, choices.below(4) * sizeOf(shapeOf(feature))));
    case 'sparse': {
      const count = few(choices);
      set(valueKeyOf(name, feature), values(choices, dtype, count));
      indexKeysOf(feature).forEach((key, k) =>
        set(
          key,
          choices.list(count, () => BigInt(choices.below(sizesOf(feature)[k]!))),
          'int64',
        ),
      );
      return;
    }
    case 'ragged': {
      const { counts, keyed } = cutRows(choices, partitionsOf(feature));
      set(valueKeyOf(name, feature), values(choices, dtype, counts));
      for (const [key, told] of keyed) set(key, told, 'int64');
    }
  }
}

function fillList(choices: Choices, { lists }: RecordModel, name: string, feature: FeatureJSON): void {
  const { type } = feature;
  const dtype = storedDType(feature.dtype);
  const steps = choices.below(5);
  const put = (key: string, made: FeatureModel[], required = false): void => {
    if (required || made.length > 0 || choices.chance(0.5)) lists.set(key, made);
  };
  if (type === 'fixedLenSequence') {
    const size = sizeOf(shapeOf(feature));
    const made = choices.list(steps, () => ({ dtype, values: values(choices, dtype, size) }));
    put(name, made, feature['allowMissing'] !== true);
    return;
  }
  const open = (values: readonly Value[], of: DType): FeatureModel =>
    values.length === 0 && choices.chance(0.3) ? KINDLESS : { dtype: of, values };
  if (type === 'varLen')
    return put(
      name,
      choices.list(steps, () => open(values(choices, dtype, few(choices)), dtype)),
    );
  const partitions = partitionsOf(feature);
  const cuts = choices.list(steps, () => cutRows(choices, partitions));
  put(
    valueKeyOf(name, feature),
    cuts.map(({ counts }) => open(values(choices, dtype, counts), dtype)),
  );
  partitions.forEach((partition) => {
    if (!('key' in partition)) return;
    put(
      partition.key,
      cuts.map(({ keyed }) => open(keyed.get(partition.key)!, 'int64')),
    );
  });
}

/** Draws nested rows. `counts` is the number of their values, and `keyed` has the partitions that describe them. */
function cutRows(
  choices: Choices,
  partitions: readonly Partition[],
): { counts: number; keyed: Map<string, readonly bigint[]> } {
  const keyed = new Map<string, readonly bigint[]>();
  let rows = choices.below(4);
  for (const partition of partitions) {
    const lengths = choices.list(rows, (row) => {
      if (partition.by === 'uniformRowLength') return partition.length;
      // Row ids cannot express an empty row at the end.
      return partition.by === 'valueRowIds' && row === rows - 1 ? 1 + choices.below(3) : choices.below(4);
    });
    if ('key' in partition) keyed.set(partition.key, tell(partition.by, lengths));
    rows = lengths.reduce((sum, length) => sum + length, 0);
  }
  return { counts: rows, keyed };
}

function tell(by: Partition['by'], lengths: readonly number[]): bigint[] {
  const splits = [0];
  for (const length of lengths) splits.push(splits.at(-1)! + length);
  const told = {
    rowSplits: splits,
    rowLengths: lengths,
    rowStarts: splits.slice(0, -1),
    rowLimits: splits.slice(1),
    valueRowIds: lengths.flatMap((length, row) => Array<number>(length).fill(row)),
    uniformRowLength: [],
  }[by];
  return told.map(BigInt);
}

const few = (choices: Choices): number => choices.one([0, 0, 1, 1, 2, 3, 6]);

export function values(choices: Choices, dtype: DType, count: number): Value[] {
  return choices.list(count, () => value(choices, dtype));
}

function value(choices: Choices, dtype: DType): Value {
  const word = (): number => choices.below(2 ** 32);
  switch (dtype) {
    case 'bytes':
      return choices.bytes(choices.one([0, 1, 2, 5, 30]));
    case 'float32':
      // Any bits, also NaN payloads and subnormals.
      return choices.one([0, 0x8000_0000, 0x3f80_0000, 0x7fc0_0001, 0xff80_0000, 1, word(), word()]);
    case 'int64': {
      const wide = BigInt.asIntN(64, (BigInt(word()) << 32n) | BigInt(word()));
      return choices.one([BigInt(choices.below(200) - 100), wide >> BigInt(choices.below(64)), -(2n ** 63n)]);
    }
  }
}

/** Moves a value of a sparse feature to another record: totals stay, but values and indices no longer match. */
export function slideValue(
  choices: Choices,
  records: readonly RecordModel[],
  { context }: SpecModel,
): string | undefined {
  const sparse = Object.entries(context).find(([, { type }]) => type === 'sparse');
  if (sparse === undefined) return undefined;
  const key = valueKeyOf(...sparse);
  const from = records.find(({ features }) => (features.get(key)?.values.length ?? 0) > 0);
  const to = choices.one(records);
  if (from === undefined || to === from) return undefined;
  const { dtype, values: old } = from.features.get(key)!;
  from.features.set(key, { dtype, values: old.slice(1) });
  to.features.set(key, { dtype, values: [...(to.features.get(key)?.values ?? []), old[0]!] });
  return `a value of ${key} in another record`;
}

// ---- faults --------------------------------------------------------------------------------------------------

/** Changes a feature, or a step of a list, that the spec reads. Returns what it did. */
export function addFault(choices: Choices, record: RecordModel, keys: readonly string[]): string {
  const { features, lists } = record;
  const inList = lists.size > 0 && (features.size === 0 || choices.chance(0.6));
  if (inList) {
    const key = choices.one([...lists.keys()]);
    const steps = lists.get(key)!;
    if (steps.length === 0 || choices.chance(0.2)) {
      if (choices.chance(0.5)) lists.delete(key);
      else steps.push(choices.one([KINDLESS, { dtype: choices.one(DTYPES), values: [] }]));
      return `steps of ${key}`;
    }
    const step = choices.below(steps.length);
    const { made, what } = spoiled(choices, steps[step]!);
    if (made === undefined) steps.splice(step, 1);
    else steps[step] = made;
    return `${what} in step ${step} of ${key}`;
  }
  const key = choices.one(keys);
  const { made, what } = spoiled(choices, features.get(key) ?? KINDLESS);
  if (made === undefined) features.delete(key);
  else features.set(key, made);
  return `${what} ${key}`;
}

function spoiled(choices: Choices, feature: FeatureModel): { made: FeatureModel | undefined; what: string } {
  const { dtype = choices.one(DTYPES), values: old } = feature;
  const what = choices.one(['missing', 'kindless', 'empty', 'kind', 'empty kind', 'more', 'fewer', 'other', 'other']);
  const wrong = choices.one(DTYPES.filter((other) => other !== dtype));
  const made = (): FeatureModel | undefined => {
    switch (what) {
      case 'missing':
        return undefined;
      case 'kindless':
        return KINDLESS;
      case 'empty':
        return { dtype, values: [] };
      case 'kind':
        return { dtype: wrong, values: values(choices, wrong, old.length) };
      case 'empty kind':
        return { dtype: wrong, values: [] };
      case 'more':
        return { dtype, values: [...old, dtype === 'int64' ? 1n : value(choices, dtype)] };
      case 'fewer':
        return { dtype, values: old.slice(0, -1) };
      default: {
        const changed = [...old];
        const at = choices.below(Math.max(1, old.length));
        const was = old[at];
        if (typeof was === 'bigint') changed[at] = BigInt.asIntN(64, was + BigInt(choices.one([-3, -1, 1, 2])));
        return { dtype, values: changed };
      }
    }
  };
  return { made: made(), what };
}
