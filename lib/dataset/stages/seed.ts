import type { Json, Mark, Operator } from '../engine/operator';
import type { Run } from '../engine/run';
import { Stage } from '../engine/stage';
import { seedText, seedWords, type Seed, type Words } from '../random';

/**
 * The stage of `seed`, which holds the seed of all stages of the chain without a seed of their own. It has no operator
 * of its own.
 */
export class SeedStage extends Stage {
  readonly kind = 'seed';
  readonly #seed: Words;

  static of(input: Stage, seed: Seed): SeedStage {
    return new SeedStage(input, seedWords('seed', seed));
  }

  private constructor(input: Stage, seed: Words) {
    super(input, { passes: true, oneByOne: true, perFile: true, outsideState: true });
    this.#seed = seed;
  }

  override get seed(): Words {
    return this.#seed;
  }

  override get unseeded(): boolean {
    return false;
  }

  override get contents(): Json {
    return [this.#seed.low, this.#seed.high];
  }

  override get chosen(): string {
    return seedText(this.#seed);
  }

  open(run: Run, from: Mark): Operator {
    return this.openInput(run, from);
  }
}
