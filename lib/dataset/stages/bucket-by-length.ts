import { checkBoolean, checkOptions, invalidArgType, invalidArgValue, neededInteger } from '../../base';
import { checkFunction, MAX_HELD } from '../arguments';
import { Calls, type ElementFunction, type Results } from '../engine/calls';
import { isThenable } from '../engine/element-context';
import type { Elements } from '../engine/elements';
import { functionText, valueContents } from '../engine/fingerprint';
import { flag, named } from '../engine/labels';
import {
  markAfter,
  placeCount,
  placeList,
  placeMark,
  skipping,
  START,
  type Chunk,
  type Json,
  type Mark,
  type Operator,
} from '../engine/operator';
import { stagePath, type Run } from '../engine/run';
import { Stage } from '../engine/stage';
import { PAD_OPTIONS, padRules, type BucketOptions, type PadRules } from '../padding/pad-options';
import { PaddedRows } from '../padding/padded-rows';

/** Checked options of buckets. */
interface BucketSettings {
  /** Bucket i has lengths below `boundaries[i]` that are in no bucket before; the last bucket has all others. */
  readonly boundaries: readonly number[];
  /** One size for each bucket. */
  readonly batchSizes: readonly number[];
  readonly dropRemainder: boolean;
  readonly rules: PadRules;
  /** The text of the user's function. */
  readonly code: Json;
}

/**
 * The stage of `bucketByLength`, which makes padded batches of elements of similar length. A batch is yielded when its
 * bucket is full.
 */
export class BucketByLengthStage extends Stage {
  readonly kind = 'bucketByLength';
  override readonly labels = [named('boundaries'), named('batchSizes'), flag('dropRemainder')];
  readonly #lengthOf: ElementFunction;
  readonly #settings: BucketSettings;

  static of(input: Stage, lengthOf: unknown, options: BucketOptions<unknown>): BucketByLengthStage {
    const call = checkFunction('lengthOf', lengthOf);
    const given = checkOptions<BucketOptions<unknown>>(options, ['boundaries', 'batchSizes', ...PAD_OPTIONS]);
    const { boundaries, batchSizes } = checkBuckets(given.boundaries, given.batchSizes);
    return new BucketByLengthStage(input, lengthFunction(call), {
      boundaries,
      batchSizes,
      dropRemainder: checkBoolean('options.dropRemainder', given.dropRemainder, false),
      rules: padRules(given.shape, given.values, given.multipleOf),
      code: functionText(lengthOf),
    });
  }

  private constructor(input: Stage, lengthOf: ElementFunction, settings: BucketSettings) {
    super(input, { calls: true });
    this.#lengthOf = lengthOf;
    this.#settings = settings;
  }

  override get order(): readonly [readonly number[], readonly number[], boolean] {
    const { boundaries, batchSizes, dropRemainder } = this.#settings;
    return [boundaries, batchSizes, dropRemainder];
  }

  /** It yields one batch at a time; at the end, the batches of all buckets share one place. */
  override get maxSkipped(): number {
    return this.#settings.batchSizes.length;
  }

  override get size(): undefined {
    return undefined;
  }

  override get contents(): Json {
    return [this.#settings.code, valueContents(this.#settings.rules)];
  }

  open(run: Run, [at, skip]: Mark): Operator {
    const path = stagePath(run, this);
    const place = at === null ? null : bucketPlace(path, at, this.#settings.batchSizes.length);
    const [start, first] = place ?? [START, 0];
    const input = this.readInput(run, start);
    const calls = new Calls(input, this.#lengthOf, run, this, 1, first);
    return skipping(new BucketOperator(calls, this.#settings, run, path, place), skip, run.scope);
  }
}

/** Checks the options of buckets. @throws TypeError, RangeError with Node's codes */
function checkBuckets(
  boundaries: unknown,
  batchSizes: unknown,
): { readonly boundaries: readonly number[]; readonly batchSizes: readonly number[] } {
  const bounds = numbers('options.boundaries', boundaries);
  bounds.forEach((bound, i) => {
    if (Number.isNaN(bound) || bound <= (bounds[i - 1] ?? -Infinity)) {
      throw invalidArgValue(`options.boundaries[${i}]`, 'more than the one before', bound);
    }
  });
  const sizes = numbers('options.batchSizes', batchSizes);
  if (sizes.length !== bounds.length + 1) {
    throw invalidArgValue('options.batchSizes', `of ${bounds.length + 1} sizes, one more than boundaries`, batchSizes);
  }
  sizes.forEach((size, i) => neededInteger(`options.batchSizes[${i}]`, size, 1, MAX_HELD));
  return { boundaries: bounds, batchSizes: sizes };
}

/** Wraps `call`, and checks that its result is a number. */
function lengthFunction(call: ElementFunction): ElementFunction {
  return (value, context) => {
    const length = call(value, context);
    return isThenable(length) ? length.then(checkLength) : checkLength(length);
  };
}

function checkLength(length: unknown): number {
  if (typeof length === 'number' && !Number.isNaN(length)) return length;
  throw invalidArgType('the result of lengthOf', 'a number', length);
}

function numbers(name: string, value: unknown): readonly number[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'number')) return [...value];
  throw invalidArgType(name, 'an array of numbers', value);
}

/**
 * The place of buckets: the mark of the oldest element in a bucket, or of the next element; its number; for each bucket
 * the number from which on its elements were not yielded yet.
 */
type BucketPosition = readonly [oldest: Mark, first: number, from: readonly number[]];

function bucketPlace(path: string, at: Json, buckets: number): BucketPosition {
  const [oldest, first, from] = placeList(path, at, 3);
  return [
    placeMark(path, oldest),
    placeCount(path, 'the number of an element', first),
    placeList(path, from, buckets).map((number) => placeCount(path, 'the number of an element', number)),
  ];
}

interface BucketElement {
  readonly elements: Elements;
  readonly index: number;
  readonly mark: Mark;
  readonly number: number;
}

class BucketOperator implements Operator {
  readonly #calls: Calls;
  readonly #settings: BucketSettings;
  readonly #run: Run;
  readonly #path: string;
  readonly #buckets: BucketElement[][];
  /** The elements in each bucket, which are padded later. */
  readonly #rows: PaddedRows[];
  readonly #from: number[];
  #results: Results | undefined;
  /** Index of the next result in `#results`. */
  #index = 0;
  #ended = false;
  /**
   * The place after which all elements that were in buckets at the end follow, and the number of batches of them that
   * were yielded.
   */
  #rest: { readonly place: BucketPosition; given: number } | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(calls: Calls, settings: BucketSettings, run: Run, path: string, place: BucketPosition | null) {
    this.#calls = calls;
    this.#settings = settings;
    this.#run = run;
    this.#path = path;
    this.#buckets = settings.batchSizes.map(() => []);
    this.#rows = settings.batchSizes.map(() => new PaddedRows(settings.rules, path));
    this.#from = settings.batchSizes.map((_, bucket) => place?.[2][bucket] ?? 0);
  }

  async next(max: number): Promise<Chunk | undefined> {
    while (!this.#ended) {
      if (!(await this.#load(max))) break;
      const full = this.#put();
      if (full !== undefined) return this.#give(full);
    }
    const rest = this.#settings.dropRemainder ? -1 : this.#buckets.findIndex((bucket) => bucket.length > 0);
    if (rest >= 0) return this.#give(rest);
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }

  close(): Promise<void> {
    return this.#calls.close();
  }

  async #load(max: number): Promise<boolean> {
    if (this.#results !== undefined && this.#index < this.#results.values.length) return true;
    try {
      this.#results = await this.#calls.next(max);
      this.#index = 0;
    } catch (error) {
      this.#failure = { error };
      this.#results = undefined;
    }
    this.#ended = this.#results === undefined;
    return !this.#ended;
  }

  /** Puts the next element into its bucket; returns the bucket if it is full then. */
  #put(): number | undefined {
    const { elements, values, mark, index: first } = this.#results!;
    const index = this.#index++;
    const number = first + index;
    const bucket = this.#bucketOf(values[index] as number);
    if (number < this.#from[bucket]!) return undefined;
    const rows = this.#rows[bucket]!;
    try {
      const fault = rows.add(elements, index);
      if (fault !== undefined) {
        if (this.#run.policy(this.#path).resolve(fault) === 'stop') this.#ended = true;
        return undefined;
      }
    } catch (error) {
      this.#failure = { error };
      this.#ended = true;
      return undefined;
    }
    const held = this.#buckets[bucket]!;
    held.push({ elements, index, mark: markAfter(mark, index), number });
    return held.length === this.#settings.batchSizes[bucket] ? bucket : undefined;
  }

  #bucketOf(length: number): number {
    const bucket = this.#settings.boundaries.findIndex((boundary) => length < boundary);
    return bucket < 0 ? this.#settings.boundaries.length : bucket;
  }

  #give(bucket: number): Chunk {
    const mark: Mark = this.#ended ? this.#restMark() : [this.#place(), 0];
    const given = this.#buckets[bucket]!;
    this.#from[bucket] = given.at(-1)!.number + 1;
    given.length = 0;
    return { elements: this.#rows[bucket]!.take(), mark };
  }

  #restMark(): Mark {
    const rest = (this.#rest ??= { place: this.#place(), given: 0 });
    return [rest.place, rest.given++];
  }

  #place(): BucketPosition {
    const heads = this.#buckets.flatMap(([head]) => head ?? []);
    const oldest = heads.reduce((least, head) => (head.number < least.number ? head : least));
    const from = this.#buckets.map(([head], i) => head?.number ?? this.#from[i]!);
    return [oldest.mark, oldest.number, from];
  }
}
