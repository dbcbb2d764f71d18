/** The features of Examples in which TensorFlow Datasets stores tensors, and the spec that reads them. */
import { fixedLen, fixedLenSequence, ragged } from '../../example';
import { emptySpec, type SchemaFeature, type SchemaSpec } from '../feature';
import { tfdsError, type Size, type TfdsTensor } from './features-json';
import { shortText } from './json-file';

/** The features of an Example, and the spec that reads them. */
export interface TfdsFeatures {
  readonly features: readonly SchemaFeature[];
  readonly spec: SchemaSpec;
}

/** The form in which a record stores a tensor. */
export type TensorForm =
  /** As many values as `shape` says. */
  | { readonly form: 'fixed'; readonly shape: readonly number[] }
  /** Any number of steps of `shape`. */
  | { readonly form: 'steps'; readonly shape: readonly number[] }
  /** Sequences in sequences: the values, each of `shape`, in `values`, and the lengths of the inner ones, from outside, in `lengths`. */
  | {
      readonly form: 'ragged';
      readonly shape: readonly number[];
      readonly values: string;
      readonly lengths: readonly string[];
    };

/** The form of `tensor`. @throws TFRecordError TFR_SPEC for sizes that TensorFlow Datasets cannot store */
export function formOf({ name, shape, sequences, optional }: TfdsTensor): TensorForm {
  if (sequences > 1) {
    const inner = shape.slice(sequences);
    if (!areKnown(inner)) throw unknownSizes(name, shape);
    const lengths = Array.from({ length: sequences - 1 }, (_, i) => `${name}/ragged_row_lengths_${i}`);
    return { form: 'ragged', shape: inner, values: `${name}/ragged_flat_values`, lengths };
  }
  if (areKnown(shape)) {
    // A record without the values of an optional tensor has zero steps of it.
    const [, ...rest] = shape;
    return optional === true && shape.length > 0 ? { form: 'steps', shape: rest } : { form: 'fixed', shape };
  }
  const [first, ...rest] = shape;
  if (first === undefined && areKnown(rest)) return { form: 'steps', shape: rest };
  // The unknown size follows from the number of values, but no spec can say so.
  if (shape.filter((size) => size === undefined).length === 1) return { form: 'steps', shape: [] };
  throw unknownSizes(name, shape);
}

/** The features that store `tensors`. @throws TFRecordError TFR_SPEC as {@link formOf} */
export function tfdsFeatures(tensors: readonly TfdsTensor[]): TfdsFeatures {
  const features: SchemaFeature[] = [];
  const spec = emptySpec();
  for (const tensor of tensors) {
    const { name, dtype, domain, optional } = tensor;
    const kind = dtype === 'text' ? 'bytes' : dtype;
    const any = {
      section: 'context',
      kind,
      domain,
      presence: undefined,
      valueCount: undefined,
      shape: undefined,
    } as const;
    const form = formOf(tensor);
    switch (form.form) {
      case 'fixed': {
        const { shape } = form;
        const count = shape.reduce((product, size) => product * size, 1);
        const presence = optional === true ? undefined : { minFraction: 1, minCount: 0 };
        features.push({ ...any, name, presence, valueCount: { min: count, max: count }, shape });
        spec[name] = optional === true ? fixedLen([], dtype, { default: null }) : fixedLen(shape, dtype);
        break;
      }
      case 'steps':
        features.push({ ...any, name });
        spec[name] = fixedLenSequence(form.shape, dtype, { allowMissing: true });
        break;
      case 'ragged': {
        const { values, lengths, shape } = form;
        features.push({ ...any, name: values });
        for (const key of lengths) features.push({ ...any, name: key, kind: 'int64', domain: undefined });
        spec[name] = ragged({
          dtype,
          valueKey: values,
          partitions: [
            ...lengths.map((key) => ({ by: 'rowLengths', key }) as const),
            ...shape.map((length) => ({ by: 'uniformRowLength', length }) as const),
          ],
        });
      }
    }
  }
  return { features, spec };
}

function areKnown(sizes: readonly Size[]): sizes is readonly number[] {
  return sizes.every((size) => size !== undefined);
}

function unknownSizes(name: string, shape: readonly Size[]): Error {
  return tfdsError(
    name,
    'one unknown size, or those of sequences',
    `the shape [${shortText(shape.map(sizeText).join(', '))}]`,
  );
}

function sizeText(size: Size): string {
  return size === undefined ? 'unknown' : String(size);
}
