import { neededInteger } from '../../base';
import type { Numbered } from '../engine/numbered';
import { markAfter, skipping, START, type Mark, type Operator } from '../engine/operator';
import type { Run } from '../engine/run';
import { Stage } from '../engine/stage';
import { mapped, part } from '../numbered/sequences';

/** The stage of `skip`, which skips the first elements. A place after them is a place of the input. */
export class SkipStage extends Stage {
  readonly kind = 'skip';
  readonly #count: number;

  static of(input: Stage, count: number): SkipStage {
    return new SkipStage(input, neededInteger('count', count, 0, Number.MAX_SAFE_INTEGER));
  }

  private constructor(input: Stage, count: number) {
    super(input, { passes: true, oneByOne: true });
    this.#count = count;
  }

  override get order(): number {
    return this.#count;
  }

  override get size(): number | undefined {
    const size = this.input?.size;
    return size === undefined ? undefined : Math.max(0, size - this.#count);
  }

  override get numbered(): Numbered | undefined {
    return mapped(this.input, (sequence) => part(sequence, this.#count));
  }

  open(run: Run, from: Mark): Operator {
    // At the start of this stage, no element of the input was yielded.
    const [at, skip] = from;
    if (at !== null) return this.openInput(run, from);
    if (this.readsByNumber) return this.openInput(run, markAfter(START, this.#count + skip));
    return skipping(this.openInput(run, START), this.#count + skip, run.scope);
  }
}
