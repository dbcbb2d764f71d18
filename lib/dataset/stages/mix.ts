import { PartInput } from '../engine/input';
import {
  type Json,
  type Mark,
  type Operator,
  placeCount,
  placeList,
  placeMark,
  skipping,
  START,
} from '../engine/operator';
import { drawKey, type Run, stagePath } from '../engine/run';
import { openNested, Stage } from '../engine/stage';
import { Draws, type Words } from '../random';
import { MixOperator, type MixPlace, type WhenExhausted } from './mix-operator';
import { FollowingChooser, LagChooser, type MixedPart, type PartChooser, RandomChooser } from './part-chooser';
import { RepeatStage } from './repeat';

/** Datasets of which one gives the next element. */
abstract class MixStage extends Stage {
  override readonly parts: readonly Stage[];
  protected readonly exhausted: WhenExhausted;
  /** The stages to open, of which the last may be no part of the mix. */
  readonly #opened: readonly Stage[];
  readonly #mixed: number;

  /** `beside`: what is opened behind the parts. */
  constructor(parts: readonly Stage[], exhausted: WhenExhausted, beside: readonly Stage[] = []) {
    super(undefined, 'draws');
    this.parts = [...parts, ...beside];
    this.exhausted = exhausted;
    this.#mixed = parts.length;
    const mixed = exhausted === 'repeat' ? parts.map((part) => new RepeatStage(part, Infinity)) : parts;
    this.#opened = [...mixed, ...beside];
  }

  open(run: Run, [at, skip]: Mark): Operator {
    const path = stagePath(run, this);
    const place = at === null ? null : mixPlace(path, at, this.#opened.length);
    const key = this.keyOf(run);
    const holder = { run, path, key, beside: this.parts.length };
    const opened = this.#opened.map((stage, index): MixedPart => {
      const [given, from] = place?.[index] ?? [0, START];
      return { input: new PartInput(openNested(holder, stage, index, from), run, from), given };
    });
    const mixed = opened.slice(0, this.#mixed);
    const chooser = this.chooserOf(mixed, opened.slice(this.#mixed), key);
    const { exhausted } = this;
    const operator = new MixOperator({ run, path, chooser, mixed, opened, exhausted, fresh: place === null });
    return skipping(operator, skip, run.scope);
  }

  protected keyOf(run: Run): Words {
    return drawKey(run, this);
  }

  protected abstract chooserOf(mixed: readonly MixedPart[], beside: readonly MixedPart[], key: Words): PartChooser;
}

/** The draws of so many elements are still numbered exactly. */
const MOST_GIVEN = 2 ** 40;

function mixPlace(path: string, at: Json, opened: number): MixPlace {
  return placeList(path, at, opened).map((part) => {
    const [given, mark] = placeList(path, part, 2);
    return [placeCount(path, 'a number of elements', given, MOST_GIVEN), placeMark(path, mark)];
  });
}

/** How to sample. */
export interface SampleOptions {
  /** One a part. */
  readonly weights: readonly number[];
  readonly seed: Words | undefined;
  readonly exhausted: WhenExhausted;
  /** By lag, not at random. */
  readonly exact: boolean;
}

/** `sampleFrom`: each element is of a part that is drawn by weight. */
export class SampleFromStage extends MixStage {
  readonly kind = 'sampleFrom';
  readonly #options: SampleOptions;

  constructor(parts: readonly Stage[], options: SampleOptions) {
    super(parts, options.exhausted);
    this.#options = options;
  }

  override get order(): Json {
    const { weights, seed, exhausted, exact } = this.#options;
    return [weights, seed === undefined ? null : [seed.low, seed.high], exhausted, exact];
  }

  override get unseeded(): boolean {
    const { seed, exact } = this.#options;
    return (seed === undefined && !exact) || super.unseeded;
  }

  override get size(): number | undefined {
    if (this.exhausted === 'repeat') return Infinity;
    if (this.exhausted === 'stop') return undefined;
    return this.parts.reduce<number | undefined>((sum, { size }, part) => {
      if (this.#options.weights[part] === 0) return sum;
      return sum === undefined || size === undefined ? undefined : sum + size;
    }, 0);
  }

  protected override keyOf(run: Run): Words {
    return drawKey(run, this, this.#options.seed);
  }

  protected override chooserOf(mixed: readonly MixedPart[], _: readonly MixedPart[], key: Words): PartChooser {
    const { weights, exhausted, exact } = this.#options;
    const drops = exhausted === 'drop';
    if (exact) return new LagChooser(mixed, weights, drops);
    // One float an element, which is two draws.
    const drawn = 2 * mixed.reduce((sum, { given }) => sum + given, 0);
    return new RandomChooser(new Draws(key, drawn), mixed, weights, drops);
  }
}

/** `chooseFrom`: each element is of the part whose number comes next. */
export class ChooseFromStage extends MixStage {
  readonly kind = 'chooseFrom';

  constructor(parts: readonly Stage[], choice: Stage, exhausted: WhenExhausted) {
    super(parts, exhausted, [choice]);
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
