import { invalidArgType, unknownOption } from '../../errors';
import type { Bytes } from '../../record';
import type { Feature } from '../message';
import { newWriter, writeFeatures } from './encode-example';
import type { FeatureLike } from './feature-values';
import { measureFeature, writeFeature, type MeasuredFeature } from './feature-wire';
import { toFeature } from './infer-feature';
import { measureMap, takeMap, writeMap } from './map-wire';
import { fieldSize, type WireWriter } from './wire-writer';

const CONTEXT_TAG = 0x0a;
const FEATURE_LISTS_TAG = 0x12;
const STEP_TAG = 0x0a;
const PARTS = ['context', 'featureLists'] as const;

/** What a SequenceExample is made of; a part that is left out is left out of the bytes too. */
export interface SequenceExampleParts {
  /** Features of the whole. */
  readonly context?: Readonly<Record<string, FeatureLike>> | undefined;
  /** Lists of features, one a step. */
  readonly featureLists?: Readonly<Record<string, readonly FeatureLike[]>> | undefined;
}

interface MeasuredSteps {
  readonly steps: readonly MeasuredFeature[];
  readonly size: number;
}

/**
 * The bytes of a tf.train.SequenceExample, by the rules of {@link encodeExample}; errors name `context.age` or
 * `featureLists.words[2]`.
 */
export function encodeSequenceExample(parts: SequenceExampleParts): Bytes {
  if (typeof parts !== 'object' || parts === null || Array.isArray(parts)) {
    throw invalidArgType('parts', 'an object', parts);
  }
  for (const name of Object.keys(parts)) {
    if (!(PARTS as readonly string[]).includes(name)) throw unknownOption(name, PARTS);
  }
  const takenContext = parts.context === undefined ? undefined : takeMap('context', parts.context, toFeature);
  const takenLists =
    parts.featureLists === undefined ? undefined : takeMap('featureLists', parts.featureLists, takeSteps);
  const context = takenContext && measureMap(takenContext, measureFeature);
  const lists = takenLists && measureMap(takenLists, measureSteps);
  const writer = newWriter((context ? fieldSize(context.size) : 0) + (lists ? fieldSize(lists.size) : 0));
  if (context) writeFeatures(writer, CONTEXT_TAG, context);
  if (lists) {
    writer.head(FEATURE_LISTS_TAG, lists.size);
    writeMap(writer, lists, writeSteps);
  }
  return writer.bytes;
}

function takeSteps(name: string, steps: unknown): readonly (Feature | undefined)[] {
  if (!Array.isArray(steps)) throw invalidArgType(name, 'a list of features, one a step', steps);
  return Array.from(steps as readonly unknown[], (step, i) => toFeature(`${name}[${i}]`, step));
}

function measureSteps(name: string, steps: readonly (Feature | undefined)[]): MeasuredSteps {
  let size = 0;
  const measured = steps.map((step, i) => {
    const one = measureFeature(`${name}[${i}]`, step);
    size += fieldSize(one.size);
    return one;
  });
  return { steps: measured, size };
}

function writeSteps(writer: WireWriter, { steps }: MeasuredSteps): void {
  for (const step of steps) {
    writer.head(STEP_TAG, step.size);
    writeFeature(writer, step);
  }
}
