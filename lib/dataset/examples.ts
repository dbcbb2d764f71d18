import { invalidArgValue } from '../errors';
import { parsedAs, type Batch, type Spec } from '../example';
import { checkBoolean, checkInteger, checkOptions, type OnError } from '../record';
import type { BytesAs, Int64As } from '../tensor';
import { checkFunction, neededInteger } from './arguments';
import type { Dataset } from './dataset';
import { seedWords, type Seed } from './random';

const MAX = Number.MAX_SAFE_INTEGER;
const MAX_HELD = 2 ** 31 - 1;
const DEFAULT_BUFFER = 10_000;
const DEFAULT_CYCLE = 16;
const NAMES = [
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

/** Options of `Dataset.examples`. Unknown names throw. */
export interface ExamplesOptions<I extends Int64As = Int64As, B extends BytesAs = BytesAs> {
  /** Examples of a batch. */
  batch: number;
  /**
   * Elements of the buffer that the Examples are shuffled through; the files are shuffled in full. `true` is 10,000;
   * `false` keeps the order of the files and of what is in them. Default true.
   */
  shuffle?: boolean | number | undefined;
  /** The seed of all shuffles. Default: the seed of the dataset. */
  seed?: Seed | undefined;
  /** Passes over the files. Default: for ever. Batches go across the ends of passes. */
  epochs?: number | undefined;
  /** The feature that is the label: each batch is a pair of the other features and this one. */
  label?: string | undefined;
  /** Leaves out the last batch when it is not full. Default false. */
  dropRemainder?: boolean | undefined;
  /** Files that are read in turn. Default 16; 1, one file after the other, without a shuffle. */
  cycleLength?: number | undefined;
  /** `false`: Examples come of whichever file has some, in any order; a state is not exact then. Default true. */
  ordered?: boolean | undefined;
  /** The dataset of one file. Default `Dataset.tfrecord(file)`. */
  reader?: ((file: string) => Dataset<Uint8Array, unknown>) | undefined;
  /** int64 as `bigint`, or as `number`, which is exact or TFR_FEATURE. Default `bigint`. */
  int64?: I | undefined;
  /** bytes as `bytes`, or as `text`: strings; a value that is not UTF-8 is TFR_FEATURE. Default `bytes`. */
  bytes?: B | undefined;
  /** Decides about files and records that are at fault. Default `throw`. */
  onError?: OnError | undefined;
}

/** A batch whose feature `L` is the label. */
export type Labeled<S extends Spec, L extends keyof S, I extends Int64As = 'bigint', B extends BytesAs = 'bytes'> = [
  features: Omit<Batch<S, I, B>, L>,
  label: Batch<S, I, B>[L],
];

/** The batches of the Examples in `files`, which `read` reads. */
export function examplesOf(
  files: Dataset<string>,
  read: (file: string) => Dataset<Uint8Array, unknown>,
  spec: Spec,
  options: ExamplesOptions,
): Dataset<unknown, unknown> {
  const given = checkOptions<ExamplesOptions>(options, NAMES);
  const size = neededInteger('options.batch', given.batch, 1, MAX_HELD);
  const buffer = checkBuffer(given.shuffle);
  const epochs =
    given.epochs === Infinity ? undefined : checkInteger('options.epochs', given.epochs, 0, MAX, undefined);
  const cycleLength = checkInteger('options.cycleLength', given.cycleLength, 1, 65_536, buffer > 0 ? DEFAULT_CYCLE : 1);
  const as = parsedAs(given);
  const dropRemainder = checkBoolean('options.dropRemainder', given.dropRemainder, false);
  const ordered = checkBoolean('options.ordered', given.ordered, true);
  const { label, seed, reader = read, onError } = given;
  if (seed !== undefined) seedWords('options.seed', seed);
  checkFunction('options.reader', reader);
  if (label !== undefined && !(typeof label === 'string' && Object.hasOwn(spec, label))) {
    throw invalidArgValue('options.label', 'the name of a feature of the spec', label);
  }
  const listed = buffer > 0 ? files.shuffle('full', { seed }) : files;
  const records = listed.interleave(reader, { cycleLength, ordered });
  const mixed = (buffer > 0 ? records.shuffle(buffer, { seed }) : records).repeat(epochs);
  const batches: Dataset<unknown> = mixed.parse(spec, as).batch(size, { dropRemainder });
  const handled = onError === undefined ? batches : batches.onError(onError);
  return label === undefined ? handled : handled.map((batch) => labeled(batch as Batch<Spec>, label));
}

/** Elements of the buffer; 0 for no shuffle. */
function checkBuffer(shuffle: unknown): number {
  if (typeof shuffle === 'boolean') return shuffle ? DEFAULT_BUFFER : 0;
  return checkInteger('options.shuffle', shuffle, 1, MAX_HELD, DEFAULT_BUFFER);
}

function labeled(batch: Batch<Spec>, name: string): [features: object, label: unknown] {
  const { [name]: label, ...features } = batch;
  return [features, label];
}
