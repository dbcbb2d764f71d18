import { checkFunction } from '../arguments';
import { Calls, type ElementFunction } from '../engine/calls';
import { functionText } from '../engine/fingerprint';
import {
  markAfter,
  countedMark,
  countedPlace,
  type Chunk,
  type Json,
  type Mark,
  type Operator,
} from '../engine/operator';
import { stagePath, type Run } from '../engine/run';
import { Stage } from '../engine/stage';

/** The stage of `takeWhile`: the elements before the first one for which a function returns a falsy value. */
export class TakeWhileStage extends Stage {
  readonly kind = 'takeWhile';
  readonly #call: ElementFunction;

  static of(input: Stage, fn: unknown): TakeWhileStage {
    return new TakeWhileStage(input, checkFunction('fn', fn));
  }

  private constructor(input: Stage, call: ElementFunction) {
    super(input, { calls: true, oneByOne: true });
    this.#call = call;
  }

  override get size(): undefined {
    return undefined;
  }

  override get contents(): Json {
    return functionText(this.#call);
  }

  open(run: Run, from: Mark): Operator {
    const [place, index] = countedPlace(from, stagePath(run, this));
    const skip = from[1];
    const input = this.readInput(run, markAfter(place, skip));
    return new TakeWhileOperator(new Calls(input, this.#call, run, this, 1, index + skip));
  }
}

class TakeWhileOperator implements Operator {
  readonly #calls: Calls;
  #over = false;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  async next(max: number): Promise<Chunk | undefined> {
    const results = this.#over ? undefined : await this.#calls.next(max);
    if (results === undefined) return undefined;
    const { elements, values, mark, index } = results;
    const end = values.findIndex((value) => !value);
    if (end >= 0) {
      this.#over = true;
      await this.close();
    }
    return end === 0
      ? undefined
      : { elements: elements.slice(0, end < 0 ? elements.length : end), mark: countedMark(mark, index) };
  }

  close(): Promise<void> {
    return this.#calls.close();
  }
}
