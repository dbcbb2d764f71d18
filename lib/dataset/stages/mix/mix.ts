import {
  checkBoolean,
  checkChoice,
  checkOptions,
  counted,
  invalidArgType,
  invalidArgValue,
  outOfRange,
  type TFRecordError,
  tfrecordError,
  advice,
  setting,
  worded,
} from '../../../base';
import { PartInput } from '../../engine/input';
import { flag, named, seedLabel } from '../../engine/labels';
import {
  placeCount,
  placeList,
  placeMark,
  skipping,
  START,
  type Chunk,
  type Json,
  type Mark,
  type Operator,
} from '../../engine/operator';
import { drawKey, stagePath, type Run } from '../../engine/run';
import { openNested, Stage } from '../../engine/stage';
import { Store } from '../../engine/store';
import type { Traits } from '../../engine/traits';
import { Draws, optionalSeed, seedJson, type Seed, type Words } from '../../random';
import { RepeatStage } from '../repeat';
import { FollowingChooser, LagChooser, RandomChooser, type MixedPart, type PartChooser } from './part-chooser';

/** The base of stages that read each next element from one of several datasets. */
abstract class MixStage extends Stage {
  override readonly parts: readonly Stage[];
  protected readonly exhausted: WhenExhausted;
  /** The stages to open; the last may be the input of the chooser instead of a part. */
  readonly #opened: readonly Stage[];
  readonly #mixed: number;

  /** `beside` lists stages that are opened after the parts. */
  constructor(
    parts: readonly Stage[],
    exhausted: WhenExhausted,
    draws: Traits['draws'],
    beside: readonly Stage[] = [],
  ) {
    super(undefined, { draws });
    this.parts = [...parts, ...beside];
    this.exhausted = exhausted;
    this.#mixed = parts.length;
    const mixed = exhausted === 'repeat' ? parts.map((part) => new RepeatStage(part, Infinity)) : parts;
    this.#opened = [...mixed, ...beside];
  }

  open(run: Run, [at, skip]: Mark): Operator {
    const path = stagePath(run, this);
    const place = at === null ? null : mixPlace(path, at, this.#opened.length);
    const key = drawKey(run, this);
    const holder = { run, path, key, beside: this.parts.length };
    const opened = this.#opened.map((stage, index): MixedPart => {
      const [given, from] = place?.[index] ?? [0, START];
      return { input: new PartInput(openNested(holder, stage, index, from), run.scope, from), given };
    });
    const mixed = opened.slice(0, this.#mixed);
    const chooser = this.chooserOf(mixed, opened.slice(this.#mixed), key);
    const { exhausted } = this;
    const operator = new MixOperator({ run, path, chooser, mixed, opened, exhausted, fresh: place === null });
    return skipping(operator, skip, run.scope);
  }

  protected abstract chooserOf(mixed: readonly MixedPart[], beside: readonly MixedPart[], key: Words): PartChooser;
}

/** Maximum number of elements whose draws have exact numbers. */
const MAX_GIVEN = 2 ** 40;

function mixPlace(path: string, at: Json, opened: number): MixPosition {
  return placeList(path, at, opened).map((part) => {
    const [given, mark] = placeList(path, part, 2);
    return [placeCount(path, 'a number of elements', given, MAX_GIVEN), placeMark(path, mark)];
  });
}

/** Checked options of `sampleFrom`. */
interface SampleSettings {
  /** One weight for each part. */
  readonly weights: readonly number[];
  readonly seed: Words | undefined;
  readonly exhausted: WhenExhausted;
  /** True if parts are chosen by lag, not at random. */
  readonly exact: boolean;
}

/** Options of `sampleFrom`. Unknown names throw. */
export interface MixOptions {
  /** One weight for each part, 0 or more, not all 0; only their ratios count. Default: equal weights. */
  weights?: readonly number[] | undefined;
  /** The seed of this stage only. Default: the seed of the dataset. */
  seed?: Seed | undefined;
  /**
   * The treatment of a part that has ended: `drop` continues with the others, `stop` ends the mix when the part is
   * drawn, `repeat` restarts the part with its next epoch, endlessly. Default `drop`.
   */
  exhausted?: WhenExhausted | undefined;
  /**
   * If true, nothing is drawn: the next part is the one that is furthest below its share, so that every prefix is as
   * close to the weights as possible. Default false.
   */
  exact?: boolean | undefined;
}

/** The stage of `sampleFrom`, which reads each element from a part that is drawn by weight. */
export class SampleFromStage extends MixStage {
  readonly kind = 'sampleFrom';
  override readonly labels = [named('weights'), seedLabel, named('exhausted'), flag('exact')];
  readonly #settings: SampleSettings;

  static of(parts: readonly Stage[], options: MixOptions | undefined): SampleFromStage {
    const given = checkOptions(options, ['weights', 'seed', 'exhausted', 'exact']);
    return new SampleFromStage(parts, {
      weights: checkWeights(given.weights, parts.length),
      seed: optionalSeed('options.seed', given.seed),
      exhausted: checkChoice('options.exhausted', given.exhausted, WHEN_EXHAUSTED, 'drop'),
      exact: checkBoolean('options.exact', given.exact, false),
    });
  }

  private constructor(parts: readonly Stage[], settings: SampleSettings) {
    const { seed, exact, exhausted } = settings;
    // An exact mix draws nothing; its seed only determines the keys of the parts.
    super(parts, exhausted, exact && seed === undefined ? true : { seed });
    this.#settings = settings;
  }

  override get order(): Json {
    const { weights, seed, exhausted, exact } = this.#settings;
    return [weights, seedJson(seed), exhausted, exact];
  }

  override get size(): number | undefined {
    if (this.exhausted === 'repeat') return Infinity;
    if (this.exhausted === 'stop') return undefined;
    return this.parts.reduce<number | undefined>((sum, { size }, part) => {
      if (this.#settings.weights[part] === 0) return sum;
      return sum === undefined || size === undefined ? undefined : sum + size;
    }, 0);
  }

  protected override chooserOf(mixed: readonly MixedPart[], _: readonly MixedPart[], key: Words): PartChooser {
    const { weights, exhausted, exact } = this.#settings;
    const drops = exhausted === 'drop';
    if (exact) return new LagChooser(mixed, weights, drops);
    // One float for each element, which is two draws.
    const drawn = 2 * mixed.reduce((sum, { given }) => sum + given, 0);
    return new RandomChooser(new Draws(key, drawn), mixed, weights, drops);
  }
}

function checkWeights(value: unknown, parts: number): readonly number[] {
  const name = 'options.weights';
  if (value === undefined) return new Array<number>(parts).fill(1);
  if (!Array.isArray(value)) throw invalidArgType(name, 'an array of numbers', value);
  if (value.length !== parts)
    throw invalidArgValue(name, `one number for each of the ${counted(parts, 'part')}`, value);
  let total = 0;
  value.forEach((weight: unknown, i) => {
    if (typeof weight !== 'number') throw invalidArgType(`${name}[${i}]`, 'a number', weight);
    if (!(weight >= 0 && weight < Infinity)) throw outOfRange(`${name}[${i}]`, 'a finite number, 0 or more', weight);
    total += weight;
  });
  if (!(total > 0 && total < Infinity)) throw invalidArgValue(name, 'of a finite sum above 0', value);
  return [...(value as number[])];
}

/** Options of `chooseFrom`. Unknown names throw. */
export interface ChooseOptions {
  /**
   * The treatment of a chosen part that has ended: `drop` skips the choice, `stop` ends the mix, `repeat` restarts the
   * part with its next epoch. Default `stop`.
   */
  exhausted?: WhenExhausted | undefined;
}

/** The stage of `chooseFrom`, which reads each element from the part whose number is next in a dataset of numbers. */
export class ChooseFromStage extends MixStage {
  readonly kind = 'chooseFrom';
  override readonly labels = [named('exhausted')];

  static of(parts: readonly Stage[], choice: Stage, options: ChooseOptions | undefined): ChooseFromStage {
    const { exhausted } = checkOptions(options, ['exhausted']);
    return new ChooseFromStage(parts, choice, checkChoice('options.exhausted', exhausted, WHEN_EXHAUSTED, 'stop'));
  }

  private constructor(parts: readonly Stage[], choice: Stage, exhausted: WhenExhausted) {
    super(parts, exhausted, true, [choice]);
  }

  override get order(): Json {
    return this.exhausted;
  }

  override get size(): number | undefined {
    return this.exhausted === 'repeat' ? this.parts.at(-1)?.size : undefined;
  }

  protected override chooserOf(mixed: readonly MixedPart[], beside: readonly MixedPart[]): PartChooser {
    return new FollowingChooser(beside[0]!.input, mixed.length);
  }
}

/** The place of a mix: for each opened dataset, the number of elements read from it, and its mark. */
type MixPosition = readonly (readonly [given: number, mark: Mark])[];

/**
 * The treatment of a part that has ended: `drop` continues with the others, `stop` ends the mix when the part is
 * chosen, `repeat` restarts the part.
 */
export type WhenExhausted = 'drop' | 'stop' | 'repeat';

const WHEN_EXHAUSTED: readonly WhenExhausted[] = ['drop', 'stop', 'repeat'];

/** The arguments of {@link MixOperator}. */
interface Mix {
  readonly run: Run;
  /** The path of the stage. */
  readonly path: string;
  readonly chooser: PartChooser;
  readonly mixed: readonly MixedPart[];
  /** The parts, and the input that the chooser reads. */
  readonly opened: readonly MixedPart[];
  readonly exhausted: WhenExhausted;
  /** True if it starts without a state. */
  readonly fresh: boolean;
}

class MixOperator implements Operator {
  readonly #mix: Mix;
  /** True until all parts were checked for being empty, before the first element. */
  #looksFirst: boolean;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(mix: Mix) {
    this.#mix = mix;
    this.#looksFirst = mix.fresh && mix.exhausted !== 'drop';
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#looksFirst) await this.#lookFirst(max);
    const { opened, run } = this.#mix;
    const place: MixPosition = opened.map(({ given, input }) => [given, input.mark]);
    const drawn = new Store();
    try {
      while (drawn.length < max && !this.#ended && !run.scope.closed) {
        if (!(await this.#step(drawn, max))) break;
      }
    } catch (error) {
      if (drawn.length === 0) throw error;
      this.#failure = { error };
    }
    if (drawn.length > 0) return { elements: drawn.take(), mark: [place, 0] };
    await this.close();
    return undefined;
  }

  async close(): Promise<void> {
    await Promise.all(this.#mix.opened.map(({ input }) => input.close()));
  }

  /** Reads one element. False if drawn elements would have to wait for it. */
  async #step(drawn: Store, max: number): Promise<boolean> {
    const { chooser, mixed, exhausted, run, path } = this.#mix;
    const needs = chooser.needs();
    if (needs.length > 0) return this.#load(needs, drawn, max);
    const chosen = chooser.part();
    const part = chosen === undefined ? undefined : mixed[chosen]!;
    if (part === undefined) {
      this.#ended = true;
    } else if (part.input.ready) {
      drawn.push(part.input.elements, part.input.index++);
      part.given++;
      chooser.advance();
    } else if (!part.input.ended) {
      return this.#load([part.input], drawn, max);
    } else if (exhausted === 'repeat' && !run.scope.closed) {
      throw emptyPart(path, chosen!);
    } else if (exhausted !== 'drop' || mixed.every(({ input }) => input.ended)) {
      this.#ended = true;
    } else {
      chooser.advance();
      await run.scope.breathe();
    }
    return true;
  }

  async #load(parts: readonly PartInput[], drawn: Store, max: number): Promise<boolean> {
    const loading = parts.map((part) => part.load(max));
    if (drawn.length > 0 && !(await this.#mix.run.scope.settlesSoon(Promise.all(loading)))) return false;
    // Awaited in order, so that the error of the first part that has one is thrown.
    for (const loaded of loading) await loaded;
    return true;
  }

  async #lookFirst(max: number): Promise<void> {
    const { mixed, run, path } = this.#mix;
    const inputs = mixed.map(({ input }) => input);
    await this.#load(inputs, new Store(), max);
    this.#looksFirst = false;
    const empty = inputs.findIndex(({ ended }) => ended);
    if (empty >= 0 && !run.scope.closed) throw emptyPart(path, empty);
  }
}

/** Returns the error for a part without elements, also after a restart. */
function emptyPart(stage: string, part: number): TFRecordError {
  return tfrecordError(
    'ERR_INVALID_ARG_VALUE',
    worded`Part ${part} of ${stage} is empty.${advice` Leave it out, or pass ${setting('exhausted', 'drop')}.`}`,
    { stage, expected: 'at least one element', found: `none in part ${part}` },
  );
}
