import { neededInteger } from '../../base';
import type { Input } from '../engine/input';
import type { Numbered } from '../engine/numbered';
import { markAfter, countedMark, countedPlace, type Chunk, type Mark, type Operator } from '../engine/operator';
import { stagePath, type Run } from '../engine/run';
import { Stage } from '../engine/stage';
import { mapped, part } from '../numbered/sequences';

/** The stage of `take`: the first elements. Its input is closed after the last of them. */
export class TakeStage extends Stage {
  readonly kind = 'take';
  readonly #count: number;

  static of(input: Stage, count: number): TakeStage {
    return new TakeStage(input, neededInteger('count', count, 0, Number.MAX_SAFE_INTEGER));
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
    if (this.#count === 0) return 0;
    return size === undefined ? undefined : Math.min(size, this.#count);
  }

  override get numbered(): Numbered | undefined {
    return mapped(this.input, (sequence) => part(sequence, 0, this.#count));
  }

  open(run: Run, from: Mark): Operator {
    const [place, taken] = countedPlace(from, stagePath(run, this), this.#count);
    const start = markAfter(place, from[1]);
    return new TakeOperator(this.readInput(run, start), this.#count, taken + from[1]);
  }
}

class TakeOperator implements Operator {
  readonly #input: Input;
  readonly #count: number;
  #taken: number;

  constructor(input: Input, count: number, taken: number) {
    this.#input = input;
    this.#count = count;
    this.#taken = taken;
  }

  async next(max: number): Promise<Chunk | undefined> {
    const wanted = Math.min(max, this.#count - this.#taken);
    if (wanted <= 0 || !(await this.#input.load(wanted))) {
      await this.close();
      return undefined;
    }
    const mark = countedMark(this.#input.mark, this.#taken);
    const elements = this.#input.take(wanted);
    this.#taken += elements.length;
    if (this.#taken >= this.#count) await this.close();
    return { elements, mark };
  }

  close(): Promise<void> {
    return this.#input.close();
  }
}
