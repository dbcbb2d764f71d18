/** Makes random specs, as JSON. */
import type { FeatureJSON, Partition } from '../../../lib';
import type { StoredDType as DType } from '../../../lib/tensor';
import type { Choices } from '../choices';
import { sizeOf, type SpecModel } from './model';

const DTYPES: readonly DType[] = ['float32', 'int64', 'bytes'];
const NAMES = ['a', 'b', 'c', 'd', 'é', '', 'a feature with a long, long name', 'features', '\u{1f642}'];
/** TensorFlow's kinds. */
type FeatureType = 'fixedLen' | 'varLen' | 'fixedLenSequence' | 'sparse' | 'ragged';
const KEYED = ['rowSplits', 'rowLengths', 'rowStarts', 'rowLimits', 'valueRowIds'] as const;

export interface SpecOptions {
  readonly form: 'example' | 'sequence';
  /** True for specs without sparse features and partitions. */
  readonly plain: boolean;
}

export function randomSpec(choices: Choices, { form, plain }: SpecOptions): SpecModel {
  if (form === 'example')
    return { context: features(choices, 1 + choices.below(5), exampleKinds(plain), plain), sequence: {} };
  const context = choices.below(3);
  const lists = context === 0 ? 1 + choices.below(3) : choices.below(4);
  return {
    context: features(choices, context, ['fixedLen', 'fixedLen', 'varLen', 'ragged'], plain),
    sequence: features(choices, lists, ['fixedLenSequence', 'fixedLenSequence', 'varLen', 'ragged'], plain, true),
  };
}

function exampleKinds(plain: boolean): readonly FeatureType[] {
  const kinds = ['fixedLen', 'fixedLen', 'fixedLen', 'varLen', 'varLen', 'fixedLenSequence', 'ragged'] as const;
  return plain ? kinds : [...kinds, 'sparse', 'sparse', 'ragged'];
}

function features(
  choices: Choices,
  count: number,
  kinds: readonly FeatureType[],
  plain: boolean,
  lists = false,
): Record<string, FeatureJSON> {
  const made: Record<string, FeatureJSON> = {};
  for (let i = 0; i < count; i++) {
    const name = choices.one(NAMES);
    made[name] ??= feature(choices, name, choices.one(kinds), plain, lists);
  }
  return made;
}

function feature(choices: Choices, name: string, type: FeatureType, plain: boolean, lists: boolean): FeatureJSON {
  const dtype = choices.one(DTYPES);
  // Sometimes the key of another feature: shared, or in conflict.
  const key = (suffix: string): string => (choices.chance(0.03) ? choices.one(NAMES) : `${name}${suffix}`);
  switch (type) {
    case 'fixedLen': {
      const shape = randomShape(choices, choices.chance(0.04));
      return { type, dtype, shape, ...(choices.chance(0.5) && { default: defaults(choices, dtype, shape) }) };
    }
    case 'varLen':
      return { type, dtype };
    case 'fixedLenSequence': {
      const allowMissing = lists ? choices.chance(0.5) : choices.chance(0.99);
      const padding = !lists || choices.chance(0.01) ? choices.chance(0.5) : false;
      const shape = randomShape(choices, false);
      return { type, dtype, shape, allowMissing, ...(padding && { default: literal(choices, dtype) }) };
    }
    case 'sparse': {
      const rank = 1 + choices.below(3);
      const indexKey = choices.list(rank, (k) => key(`.index${k}`));
      const size = choices.list(rank, () => 1 + choices.below(6));
      const listed = rank > 1 || choices.chance(0.5);
      return {
        ...{ type, dtype, valueKey: choices.chance(0.2) && name !== '' ? name : key('.value') },
        ...(listed ? { indexKey, size } : { indexKey: indexKey[0], size: size[0] }),
        ...(choices.chance(0.3) && { alreadySorted: true }),
      };
    }
    case 'ragged': {
      const depth = plain ? 0 : choices.one([0, 1, 1, 2, 2, 3]);
      return {
        ...{ type, dtype },
        ...(choices.chance(0.5) && { valueKey: key('.value') }),
        partitions: choices.list(depth, (k): Partition => {
          const by = choices.one([...KEYED, 'uniformRowLength'] as const);
          return by === 'uniformRowLength' ? { by, length: 1 + choices.below(3) } : { by, key: key(`.rows${k}`) };
        }),
        ...(choices.chance(0.5) && { rowSplitsDtype: choices.one(['int32', 'int64']) }),
        ...(choices.chance(0.5) && { validate: choices.chance(0.7) }),
      };
    }
  }
}

/** Draws a shape of up to rank 4. `empty`: with a dimension of 0. */
function randomShape(choices: Choices, empty: boolean): number[] {
  const rank = choices.one([0, 0, 0, 1, 1, 2, 3, 4]);
  const shape = choices.list(rank, () => 1 + choices.below(3));
  if (empty && rank > 0) shape[choices.below(rank)] = 0;
  return shape;
}

function defaults(choices: Choices, dtype: DType, shape: readonly number[]): unknown {
  const count = sizeOf(shape) + (choices.chance(0.02) ? 1 : 0);
  if (count === 1 && choices.chance(0.5)) return literal(choices, dtype);
  return choices.list(count, () => literal(choices, dtype));
}

function literal(choices: Choices, dtype: DType): unknown {
  if (dtype === 'bytes') return choices.one(['', '?', 'fallback', { base64: '/wA=' }]);
  if (dtype === 'float32') return choices.one([0, -1, 0.5, 3.25, 'NaN', '-0', 'Infinity', 1e-42]);
  return choices.one([0, -1, 7, '9223372036854775807', '-9223372036854775808']);
}
