import { isInteger, outOfRange } from '../../../base';
import type { PartInput } from '../../engine/input';
import type { Draws } from '../../random';

/** A part of a mix, and the elements that it gave. */
export interface MixedPart {
  readonly input: PartInput;
  given: number;
}

/** Says which part of a mix gives the next element. */
export interface PartChooser {
  /** The inputs that must be ready, or must have ended, before `part` is called. */
  needs(): readonly PartInput[];
  /** The part that is next, the same until it gave or was passed over; undefined at the end. */
  part(): number | undefined;
  /** Notes that the part gave its element, or has none left and is passed over. */
  advance(): void;
}

const NOTHING: readonly PartInput[] = [];

/** Follows numbers. */
export class FollowingChooser implements PartChooser {
  readonly #choice: PartInput;
  readonly #parts: number;

  constructor(choice: PartInput, parts: number) {
    this.#choice = choice;
    this.#parts = parts;
  }

  needs(): readonly PartInput[] {
    return this.#choice.ready || this.#choice.ended ? NOTHING : [this.#choice];
  }

  part(): number | undefined {
    if (!this.#choice.ready) return undefined;
    const { elements, index } = this.#choice;
    const given = elements.at(index);
    const number = typeof given === 'bigint' ? Number(given) : given;
    if (isInteger(number, 0, this.#parts - 1)) return number;
    throw outOfRange('element of choice', `the number of a part, from 0 to ${this.#parts - 1}`, given);
  }

  advance(): void {
    this.#choice.index++;
  }
}

/** Chooses among the parts that are left by their weights. */
abstract class WeightedChooser implements PartChooser {
  protected readonly parts: readonly MixedPart[];
  /** 0 for parts that have left. */
  protected readonly weights: number[];
  protected total = 0;
  readonly #dropsEnded: boolean;
  #part: number | undefined;

  /** `dropsEnded`: parts that have ended leave, so it has to be known of all whether they have. */
  constructor(parts: readonly MixedPart[], weights: readonly number[], dropsEnded: boolean) {
    this.parts = parts;
    this.weights = [...weights];
    this.#dropsEnded = dropsEnded;
    this.#add();
  }

  needs(): readonly PartInput[] {
    if (!this.#dropsEnded) return NOTHING;
    let unknown: PartInput[] | undefined;
    for (let part = 0; part < this.parts.length; part++) {
      const { input } = this.parts[part]!;
      if (input.ready || this.weights[part] === 0) continue;
      if (input.ended) {
        this.weights[part] = 0;
        this.#add();
      } else {
        (unknown ??= []).push(input);
      }
    }
    return unknown ?? NOTHING;
  }

  part(): number | undefined {
    if (this.#part === undefined && this.total > 0) this.#part = this.choose();
    return this.#part;
  }

  advance(): void {
    this.#part = undefined;
  }

  /** A part whose weight is not 0; there is one. */
  protected abstract choose(): number;

  #add(): void {
    this.total = this.weights.reduce((sum, weight) => sum + weight, 0);
  }
}

/** At random: one `float()` an element. */
export class RandomChooser extends WeightedChooser {
  readonly #draws: Draws;

  constructor(draws: Draws, ...rest: ConstructorParameters<typeof WeightedChooser>) {
    super(...rest);
    this.#draws = draws;
  }

  protected choose(): number {
    const drawn = this.#draws.float();
    let sum = 0;
    let part = 0;
    // The last sum is the total, and the number drawn is below 1.
    for (; part < this.weights.length; part++) {
      sum += this.weights[part]!;
      if (sum / this.total > drawn) break;
    }
    return part;
  }
}

/**
 * Chooses the part that lags most behind its share of the elements so far: every prefix is as close to the weights as
 * it can be.
 */
export class LagChooser extends WeightedChooser {
  protected choose(): number {
    // Counts the parts that are left: else heavy parts would first make up for elements of those that ended.
    const given = this.parts.reduce((sum, part, i) => sum + (this.weights[i] === 0 ? 0 : part.given), 0);
    let most = -Infinity;
    let chosen = 0;
    for (const [part, weight] of this.weights.entries()) {
      const lag = (weight / this.total) * (given + 1) - this.parts[part]!.given;
      if (weight === 0 || lag <= most) continue;
      most = lag;
      chosen = part;
    }
    return chosen;
  }
}
