/** Encodes rows of SequenceExamples. */
import { counted, type Bytes, newRecord } from '../../base';
import { sizeOf, type Shape } from '../../tensor';
import { encodeSequenceExample, rowError } from '../feature';
import type { FeatureDefinition } from '../kinds';
import type { Feature } from '../message';
import type { Plan } from '../parse';
import { rowEncoder } from './example-encoder';

/** A row of a SequenceExample. Each feature list is a list of the values of its steps. */
export interface SequenceRowParts {
  readonly context: Readonly<Record<string, unknown>>;
  readonly sequence: Readonly<Record<string, readonly unknown[] | null | undefined>>;
}

/**
 * Returns a function that encodes rows of the spec of `plan`, so that parsing the bytes restores the row. A step has
 * the same values as a feature of that kind in a row of `exampleEncoder`: any number for `varLen`, those of its shape
 * for `fixedLenSequence`, nested lists for `ragged`. It throws like the function of `exampleEncoder`.
 */
export function sequenceExampleEncoder({ columns: all, features, sequence }: Plan): (row: SequenceRowParts) => Bytes {
  const encodeContext = rowEncoder(features.map(({ name, definition }) => [name, definition] as const));
  return (row) => {
    const featureLists = newRecord<Feature[]>();
    for (const { name, definition, columns } of sequence) {
      const steps = Object.hasOwn(row.sequence, name) ? row.sequence[name] : undefined;
      if (steps !== undefined && steps !== null) addSteps(featureLists, name, definition, steps);
      else if (columns.some((column) => all[column]!.required))
        throw rowError(name, 'a list of steps, for the spec requires one');
    }
    return encodeSequenceExample({ context: encodeContext(row.context), featureLists });
  };
}

function addSteps(
  lists: Record<string, Feature[]>,
  name: string,
  definition: FeatureDefinition,
  steps: readonly unknown[],
): void {
  const own = new Map<string, Feature[]>();
  // Without steps, a ragged feature has no partitions either.
  if (definition.kind !== 'ragged') own.set(name, []);
  const count = valuesOfStep(definition);
  for (const step of steps) {
    for (const [key, feature] of definition.encodeRow(name, step)) {
      if (count !== undefined && feature.values.length !== count) {
        throw rowError(name, `${counted(count, 'value')} in each step`, String(feature.values.length));
      }
      const list = own.get(key);
      if (list === undefined) own.set(key, [feature]);
      else list.push(feature);
    }
  }
  for (const [key, list] of own) lists[key] = list;
}

/** Returns the number of values in each step; undefined if any number is allowed. */
function valuesOfStep(definition: FeatureDefinition): number | undefined {
  const { shape } = definition.shown() as { shape?: Shape };
  return definition.kind === 'fixedLenSequence' ? sizeOf(shape!) : undefined;
}
