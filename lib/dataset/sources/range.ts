import { checkInteger, invalidArgType, neededInteger } from '../../base';
import { ArrayElements } from '../engine/elements';
import { named } from '../engine/labels';
import { placeCount, type Chunk, type Mark, type Operator } from '../engine/operator';
import { stagePath, type Run } from '../engine/run';
import { Stage } from '../engine/stage';

const MAX = Number.MAX_SAFE_INTEGER;

/** The stage of `Dataset.range`: numbers from `start` to before `stop`, by `step`. */
export class RangeStage extends Stage {
  readonly kind = 'range';
  override readonly labels = [named('start'), named('step'), named('count')];
  readonly #start: number;
  readonly #step: number;
  readonly #count: number;

  /** Returns the stage for the arguments `(stop)`, `(start, stop)` or `(start, stop, step)`. */
  static of(first: number, second: number | undefined, step: number | undefined): RangeStage {
    const [start, stop] = second === undefined ? [0, first] : [first, second];
    checkInteger(second === undefined ? 'stop' : 'start', start, -MAX, MAX, 0);
    neededInteger('stop', stop, -MAX, MAX);
    const by = checkInteger('step', step, -MAX, MAX, 1);
    if (by === 0) throw invalidArgType('step', 'a number other than 0', step);
    return new RangeStage(start, stop, by);
  }

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
        return { elements: new ArrayElements(values), mark: [begin, 0] };
      },
      close: async () => {
        next = this.#count;
      },
    };
  }
}
