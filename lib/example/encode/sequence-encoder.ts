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
 * A function that encodes rows of the spec of `plan`, so that parsing the bytes gives the row back. A step has what a row
 * of `exampleEncoder` has for a feature of that kind: `varLen` any number of values, `fixedLenSequence` those of its shape,
 * `ragged` nested lists. It throws as that of `exampleEncoder`.
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
  // Without steps, the partitions of a ragged feature are not there either.
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

/** Number of values that each step has; undefined if it may have any. */
function valuesOfStep(definition: FeatureDefinition): number | undefined {
  const { shape } = definition.shown() as { shape?: Shape };
  return definition.kind === 'fixedLenSequence' ? sizeOf(shape!) : undefined;
}
