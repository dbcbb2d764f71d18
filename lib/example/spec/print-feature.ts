/** Features as the calls that make them. */
import { inspect } from 'node:util';

import { printableText, shortestFloat32, type DType, type Scalar } from '../../tensor';
import type { FeatureDetails } from './details';

/** `fixedLen([2], 'float32', { default: [0, 1] })`: what to write for this feature; options at their defaults are left out. */
export function printFeature(details: FeatureDetails): string {
  const { kind, dtype } = details;
  switch (details.kind) {
    case 'fixedLen':
    case 'fixedLenSequence': {
      const { shape } = details;
      const options: Record<string, unknown> = {};
      if (details.kind === 'fixedLenSequence' && details.allowMissing) options['allowMissing'] = true;
      if (details.default !== undefined) options['default'] = literalsOf(dtype, details.default, shape.length === 0);
      const rest = Object.keys(options).length === 0 ? '' : `, ${print(options)}`;
      return `${kind}(${print(shape)}, ${print(dtype)}${rest})`;
    }
    case 'varLen':
      return `varLen(${print(dtype)})`;
    case 'sparse': {
      const { indexKeys, listed, valueKey, size, alreadySorted } = details;
      return `sparse(${print({
        indexKey: listed ? indexKeys : indexKeys[0],
        valueKey,
        dtype,
        size: listed ? size : size[0],
        ...(alreadySorted && { alreadySorted }),
      })})`;
    }
    case 'ragged': {
      const { valueKey, partitions, rowSplitsDtype, validate } = details;
      return `ragged(${print({
        dtype,
        ...(valueKey !== undefined && { valueKey }),
        ...(partitions.length > 0 && { partitions }),
        ...(rowSplitsDtype !== 'int32' && { rowSplitsDtype }),
        ...(validate && { validate }),
      })})`;
    }
  }
}

function print(value: unknown): string {
  return inspect(value, { breakLength: Infinity, compact: true, depth: 4 });
}

function literalsOf(dtype: DType, value: Scalar | readonly Scalar[], scalar: boolean): unknown {
  if (!Array.isArray(value)) return literalOf(dtype, value as Scalar);
  const literals = (value as readonly Scalar[]).map((one) => literalOf(dtype, one));
  return scalar ? literals[0] : literals;
}

function literalOf(dtype: DType, value: Scalar): unknown {
  if (dtype === 'bytes') return printableText(value as Uint8Array) ?? value;
  if (dtype === 'float32') return shortestFloat32(value as number);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
