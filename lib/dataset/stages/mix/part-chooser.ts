import { isInteger, outOfRange } from '../../../base';
import type { PartInput } from '../../engine/input';
import type { Draws } from '../../random';

/** A part of a mix, and the number of elements read from it. */
export interface MixedPart {
  readonly input: PartInput;
  given: number;
}

/** Chooses the part of a mix that the next element is read from. */
export interface PartChooser {
  /** Returns the inputs that must be ready or ended before `part` is called. */
  needs(): readonly PartInput[];
  /** Returns the index of the next part, the same until `advance`; undefined at the end. */
  part(): number | undefined;
  /** Called after an element of the part was read, or the part was skipped because it has ended. */
  advance(): void;
}

const NOTHING: readonly PartInput[] = [];

/** Chooses parts by a dataset of numbers. */
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

/** Chooses among the parts that have not left, by their weights. */
abstract class WeightedChooser implements PartChooser {
  protected readonly parts: readonly MixedPart[];
  /** 0 for parts that have left. */
  protected readonly weights: number[];
  protected total = 0;
  readonly #dropsEnded: boolean;
  #part: number | undefined;

  /** If `dropsEnded`, parts that have ended leave, so all inputs must be ready or ended before a choice. */
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

  /** Returns a part whose weight is not 0; at least one exists. */
  protected abstract choose(): number;

  #add(): void {
    this.total = this.weights.reduce((sum, weight) => sum + weight, 0);
  }
}

/** Chooses at random, with one `float()` for each element. */
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
    // The loop ends at a part: the last sum is the total, and the drawn number is below 1.
    for (; part < this.weights.length; part++) {
      sum += this.weights[part]!;
      if (sum / this.total > drawn) break;
    }
    return part;
  }
}

/**
 * Chooses the part that is furthest below its share of the elements so far, so that every prefix is as close to the
 * weights as possible.
 */
export class LagChooser extends WeightedChooser {
  protected choose(): number {
    // Counts only parts that have not left: else the others would first make up for elements of those that ended.
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
