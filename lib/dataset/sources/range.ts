import { ArrayColumn } from '../engine/elements';
import { type Chunk, type Mark, type Operator, placeCount } from '../engine/operator';
import { type Run, stagePath } from '../engine/run';
import { Stage } from '../engine/stage';

/** `Dataset.range`: numbers from `start` to before `stop`, by `step`. */
export class RangeStage extends Stage {
  readonly kind = 'range';
  readonly #start: number;
  readonly #step: number;
  readonly #count: number;

  constructor(start: number, stop: number, step: number) {
    super(undefined);
    this.#start = start;
    this.#step = step;
    this.#count = Math.max(0, Math.ceil((stop - start) / step));
  }

  override get order(): readonly number[] {
    return [this.#start, this.#step, this.#count];
  }

  override get size(): number {
    return this.#count;
  }

  open(run: Run, from: Mark): Operator {
    const [at, skip] = from;
    let next = (at === null ? 0 : placeCount(stagePath(run, this), 'a number of elements', at, this.#count)) + skip;
    return {
      next: async (max): Promise<Chunk | undefined> => {
        const begin = next;
        next = Math.min(this.#count, begin + max);
        if (next <= begin) return undefined;
        const values = new Array<number>(next - begin);
        for (let i = 0; i < values.length; i++) values[i] = this.#start + this.#step * (begin + i);
        return { column: new ArrayColumn(values), mark: [begin, 0] };
      },
      close: async () => {
        next = this.#count;
      },
    };
  }
}
