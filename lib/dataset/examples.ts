/** Checks the options of `Dataset.examples`, and splits batches into features and label. */
import { checkBoolean, checkInteger, invalidArgValue, neededInteger } from '../base';
import { parsedAs, type Batch, type Spec } from '../example';
import type { BytesAs, Int64As } from '../tensor';
import { checkFunction } from './arguments';
import { seedWords, type Seed } from './random';

const MAX = Number.MAX_SAFE_INTEGER;
const MAX_HELD = 2 ** 31 - 1;
const DEFAULT_BUFFER = 10_000;
const DEFAULT_CYCLE = 16;
/** Names of the options of `Dataset.examples`. */
export const EXAMPLES_OPTIONS = [
  'batch',
  'shuffle',
  'seed',
  'epochs',
  'label',
  'dropRemainder',
  'cycleLength',
  'ordered',
  'reader',
  'int64',
  'bytes',
  'onError',
] as const;

/** The options of `Dataset.examples` before they are checked. */
interface GivenExamples {
  readonly batch: number;
  readonly shuffle?: boolean | number | undefined;
  readonly seed?: Seed | undefined;
  readonly epochs?: number | undefined;
  readonly label?: string | undefined;
  readonly dropRemainder?: boolean | undefined;
  readonly cycleLength?: number | undefined;
  readonly ordered?: boolean | undefined;
  readonly reader?: unknown;
  readonly int64?: Int64As | undefined;
  readonly bytes?: BytesAs | undefined;
}

/** A batch split into its other features and feature `L`, the label. */
export type Labeled<S extends Spec, L extends keyof S, I extends Int64As = 'bigint', B extends BytesAs = 'bytes'> = [
  features: Omit<Batch<S, I, B>, L>,
  label: Batch<S, I, B>[L],
];

/** Checked options of `Dataset.examples`, except `reader` and `onError`. */
export interface ExamplesPlan {
  readonly size: number;
  /** Size of the shuffle buffer, in Examples; 0 for no shuffle. */
  readonly buffer: number;
  readonly seed: Seed | undefined;
  /** Undefined for no limit. */
  readonly epochs: number | undefined;
  readonly label: string | undefined;
  readonly dropRemainder: boolean;
  readonly cycleLength: number;
  readonly ordered: boolean;
  readonly as: ReturnType<typeof parsedAs>;
}

/** Checks the `given` options of `Dataset.examples` for `spec`. @throws TypeError, RangeError with Node's codes */
export function examplesPlan(spec: Spec, given: GivenExamples): ExamplesPlan {
  const size = neededInteger('options.batch', given.batch, 1, MAX_HELD);
  const buffer = checkBuffer(given.shuffle);
  const epochs =
    given.epochs === Infinity ? undefined : checkInteger('options.epochs', given.epochs, 0, MAX, undefined);
  const cycleLength = checkInteger('options.cycleLength', given.cycleLength, 1, 65_536, buffer > 0 ? DEFAULT_CYCLE : 1);
  const as = parsedAs(given);
  const dropRemainder = checkBoolean('options.dropRemainder', given.dropRemainder, false);
  const ordered = checkBoolean('options.ordered', given.ordered, true);
  const { label, seed, reader } = given;
  if (seed !== undefined) seedWords('options.seed', seed);
  if (reader !== undefined) checkFunction('options.reader', reader);
  if (label !== undefined && !(typeof label === 'string' && Object.hasOwn(spec, label))) {
    throw invalidArgValue('options.label', 'the name of a feature of the spec', label);
  }
  return { size, buffer, seed, epochs, label, dropRemainder, cycleLength, ordered, as };
}

/** Returns the size of the shuffle buffer; 0 for no shuffle. */
function checkBuffer(shuffle: unknown): number {
  if (typeof shuffle === 'boolean') return shuffle ? DEFAULT_BUFFER : 0;
  return checkInteger('options.shuffle', shuffle, 1, MAX_HELD, DEFAULT_BUFFER);
}

/** Splits `batch` into a pair: the features other than `name`, and that feature. */
export function labeled(batch: Batch<Spec>, name: string): [features: object, label: unknown] {
  const { [name]: label, ...features } = batch;
  return [features, label];
}
