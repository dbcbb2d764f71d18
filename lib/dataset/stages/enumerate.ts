import { checkInteger } from '../../base';
import { ArrayElements } from '../engine/elements';
import type { Input } from '../engine/input';
import { named } from '../engine/labels';
import { markAfter, countedMark, countedPlace, type Chunk, type Mark, type Operator } from '../engine/operator';
import { stagePath, type Run } from '../engine/run';
import { Stage } from '../engine/stage';

/** The stage of `enumerate`: pairs of number and element. */
export class EnumerateStage extends Stage {
  readonly kind = 'enumerate';
  override readonly labels = [named('start')];
  readonly #start: number;

  static of(input: Stage, start: number | undefined): EnumerateStage {
    const most = Number.MAX_SAFE_INTEGER;
    return new EnumerateStage(input, checkInteger('start', start, -most, most, 0));
  }

  private constructor(input: Stage, start: number) {
    super(input, { oneByOne: true });
    this.#start = start;
  }

  override get order(): number {
    return this.#start;
  }

  open(run: Run, from: Mark): Operator {
    const [place, index] = countedPlace(from, stagePath(run, this));
    const skip = from[1];
    const start = markAfter(place, skip);
    const input = this.readInput(run, start);
    return new EnumerateOperator(input, this.#start, index + skip);
  }
}

class EnumerateOperator implements Operator {
  readonly #input: Input;
  readonly #start: number;
  #index: number;

  constructor(input: Input, start: number, index: number) {
    this.#input = input;
    this.#start = start;
    this.#index = index;
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (!(await this.#input.load(max))) return undefined;
    const mark = countedMark(this.#input.mark, this.#index);
    const values = this.#numbered(max);
    const elements = this.#input.take(values.length);
    this.#index += elements.length;
    return { elements: new ArrayElements(values, elements.origins), mark };
  }

  /** Returns up to `max` loaded elements with their numbers; fewer if one cannot be made. */
  #numbered(max: number): [number, unknown][] {
    const { elements, index } = this.#input;
    const end = Math.min(elements.length, index + max);
    const values: [number, unknown][] = [];
    try {
      for (let i = index; i < end; i++) values.push([this.#start + this.#index + i - index, elements.at(i)]);
    } catch (error) {
      if (values.length === 0) throw error;
    }
    return values;
  }

  close(): Promise<void> {
    return this.#input.close();
  }
}
