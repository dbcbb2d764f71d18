import { checkOptions, invalidArgType, invalidArgValue, isInteger, outOfRange, isList } from '../../base';
import { checkFunction } from '../arguments';
import { Calls, type ElementFunction, type Results } from '../engine/calls';
import { isThenable } from '../engine/element-context';
import { functionText } from '../engine/fingerprint';
import { named, seedLabel } from '../engine/labels';
import {
  misplaced,
  SkippedByState,
  placeCount,
  placeList,
  placeMark,
  placeOrNull,
  skipping,
  sliceChunk,
  START,
  type Chunk,
  type Json,
  type Mark,
  type Operator,
} from '../engine/operator';
import { drawKey, stagePath, type Run } from '../engine/run';
import { Stage } from '../engine/stage';
import { Draws, optionalSeed, seedJson, type Seed, type Words } from '../random';

/** Checked options of `rejectionResample`. */
interface ResampleSettings {
  /** The target share of each class; their sum need not be 1. */
  readonly target: readonly number[];
  /** The share of each class in the input; undefined: estimated while reading. */
  readonly initial: readonly number[] | undefined;
  readonly seed: Words | undefined;
}

/** Options of `rejectionResample`. Unknown names throw. */
export interface ResampleOptions {
  /** The target share of each class, from class 0 on: numbers of 0 or more, whose sum need not be 1. */
  target: readonly number[];
  /** The share of each class in the input. Default: counted while reading, starting with one element of each class. */
  initial?: readonly number[] | undefined;
  /** The seed of this stage only. Default: the seed of the dataset. */
  seed?: Seed | undefined;
}

/** The stage of `rejectionResample`, which drops elements at random, so that classes have their target shares. */
export class RejectionResampleStage extends Stage {
  readonly kind = 'rejectionResample';
  override readonly labels = [named('target'), named('initial'), seedLabel];
  readonly #classOf: ElementFunction;
  readonly #settings: ResampleSettings;
  readonly #code: Json;

  static of(input: Stage, classOf: unknown, options: ResampleOptions): RejectionResampleStage {
    const call = checkFunction('classOf', classOf);
    const { target, initial, seed } = checkOptions<ResampleOptions>(options, ['target', 'initial', 'seed']);
    const shares = checkShares('options.target', target);
    return new RejectionResampleStage(input, call, {
      target: shares,
      initial: initial === undefined ? undefined : checkShares('options.initial', initial, shares),
      seed: optionalSeed('options.seed', seed),
    });
  }

  private constructor(input: Stage, classOf: ElementFunction, settings: ResampleSettings) {
    super(input, { draws: settings, calls: true });
    const { length } = settings.target;
    const check = (number: unknown): unknown => {
      if (isInteger(number, 0, length - 1)) return number;
      throw outOfRange('the result of classOf', `a class: an integer from 0 to ${length - 1}`, number);
    };
    this.#classOf = (value, context) => {
      const number = classOf(value, context);
      return isThenable(number) ? number.then(check) : check(number);
    };
    this.#settings = settings;
    this.#code = functionText(classOf);
  }

  override get order(): Json {
    const { target, initial, seed } = this.#settings;
    return [target, initial ?? null, seedJson(seed)];
  }

  override get size(): undefined {
    return undefined;
  }

  override get contents(): Json {
    return this.#code;
  }

  open(run: Run, [at, skip]: Mark): Operator {
    const [start, index, counts] = at === null ? FIRST : this.#place(stagePath(run, this), at);
    const input = this.readInput(run, start);
    const calls = new Calls(input, this.#classOf, run, this, 1, index);
    const key = drawKey(run, this);
    const acceptance = new Acceptance(this.#settings.target, this.#settings.initial, counts);
    const passed = new SkippedByState(stagePath(run, this), at === null ? 0 : skip);
    const operator = new ResampleOperator(calls, key, acceptance, passed);
    return skipping(operator, at === null ? skip : 0, run.scope);
  }

  #place(path: string, at: Json): ResamplePosition {
    const { target, initial } = this.#settings;
    const [input, index, counts] = placeList(path, at, 3);
    const counted = placeOrNull(counts, (list) =>
      placeList(path, list, target.length).map((count) => placeCount(path, 'the count of a class', count)),
    );
    const whole = counted?.every((count) => count > 0) ?? true;
    if ((counted === null) !== (initial !== undefined) || !whole) {
      throw misplaced(path, initial === undefined ? 'a count of 1 or more for each class' : 'no counts', counts);
    }
    return [placeMark(path, input), placeCount(path, 'the number of an element', index, MAX_ELEMENTS), counted];
  }
}

const FIRST: ResamplePosition = [START, 0, null];
/** Maximum number of elements whose draws, two for each, have exact numbers. */
const MAX_ELEMENTS = 2 ** 52;

/**
 * The place of a resampling: the mark of the next element of the input, its number, and the number of earlier elements
 * of each class; null if they are not counted.
 */
type ResamplePosition = readonly [input: Mark, index: number, counts: readonly number[] | null];

/** Computes the probability of keeping an element, by class. */
class Acceptance {
  readonly #target: readonly number[];
  /** The share of each class in the input. If classes are counted: the number of elements so far plus one. */
  readonly #initial: number[];
  readonly #counts: boolean;

  constructor(target: readonly number[], initial: readonly number[] | undefined, counts: readonly number[] | null) {
    this.#target = target;
    this.#counts = initial === undefined;
    this.#initial = [...(initial ?? counts ?? target.map(() => 1))];
  }

  get counts(): readonly number[] | null {
    return this.#counts ? [...this.#initial] : null;
  }

  /**
   * Returns the probability of keeping the next element, of class `number`: in proportion to target / initial; 1 for
   * the class with the highest ratio.
   */
  of(number: number): number {
    if (this.#counts) this.#initial[number]!++;
    const ratios = this.#target.map((share, i) => (share === 0 ? 0 : share / this.#initial[i]!));
    return ratios[number]! / Math.max(...ratios);
  }
}

class ResampleOperator implements Operator {
  readonly #calls: Calls;
  readonly #key: Words;
  readonly #acceptance: Acceptance;
  readonly #passed: SkippedByState;
  #draws: Draws | undefined;

  constructor(calls: Calls, key: Words, acceptance: Acceptance, passed: SkippedByState) {
    this.#passed = passed;
    this.#calls = calls;
    this.#key = key;
    this.#acceptance = acceptance;
  }

  async next(max: number): Promise<Chunk | undefined> {
    for (;;) {
      const results = await this.#calls.next(max);
      if (results === undefined) return undefined;
      const place: ResamplePosition = [results.mark, results.index, this.#acceptance.counts];
      const kept = this.#keptOf(results);
      const passed = this.#passed.of(kept.length, results.values.length);
      if (kept.length > passed)
        return sliceChunk({ elements: results.elements.select(kept), mark: [place, 0] }, passed);
    }
  }

  close(): Promise<void> {
    return this.#calls.close();
  }

  #keptOf({ values, index }: Results): number[] {
    // One float for each element, which is two draws; also for elements whose class was not found.
    const drawn = 2 * index;
    if (this.#draws?.drawn !== drawn) this.#draws = new Draws(this.#key, drawn);
    const kept: number[] = [];
    for (let i = 0; i < values.length; i++) {
      if (this.#draws.float() < this.#acceptance.of(values[i] as number)) kept.push(i);
    }
    return kept;
  }
}

/**
 * Checks the shares of classes: numbers of 0 or more, not all 0. If `wanted`, the target shares, are given, each class
 * with a target must have a share.
 */
function checkShares(name: string, value: unknown, wanted?: readonly number[]): readonly number[] {
  if (!isList(value)) throw invalidArgType(name, 'an array of numbers', value);
  const shares = value;
  if (wanted !== undefined && shares.length !== wanted.length) {
    throw invalidArgValue(name, `of ${wanted.length} shares, as many as options.target`, value);
  }
  for (const [i, share] of shares.entries()) {
    if (typeof share !== 'number') throw invalidArgType(`${name}[${i}]`, 'a number', share);
    if (!(share >= 0 && share < Infinity)) throw outOfRange(`${name}[${i}]`, 'a number from 0 on', share);
    if (share === 0 && (wanted?.[i] ?? 0) > 0)
      throw invalidArgValue(`${name}[${i}]`, 'more than 0: the class is wanted', share);
  }
  if (!shares.some((share) => share !== 0)) throw invalidArgValue(name, 'shares that are not all 0', value);
  return shares.map(Number);
}
