import { checkInteger, outOfRange } from '../../base';
import { optionText, type Label } from '../engine/labels';
import {
  markAfter,
  countedMark,
  countedPlace,
  openFirst,
  START,
  type Chunk,
  type Mark,
  type Operator,
} from '../engine/operator';
import { stagePath, type Run } from '../engine/run';
import { Stage } from '../engine/stage';

const timesLabel: Label = (count) => (count === -1 ? undefined : optionText(count));

/**
 * The stage of `repeat`, which reads its input repeatedly. A pass without elements ends it, so that it cannot loop for
 * ever.
 */
export class RepeatStage extends Stage {
  readonly kind = 'repeat';
  override readonly labels = [timesLabel];
  readonly #count: number;

  static of(input: Stage, count: number | undefined): RepeatStage {
    if (count === -1) throw outOfRange('count', 'an integer from 0 on, or left out: for ever', count);
    const times = count === Infinity ? count : checkInteger('count', count, 0, Number.MAX_SAFE_INTEGER, Infinity);
    return new RepeatStage(input, times);
  }

  /** @param count number of passes, or Infinity */
  constructor(input: Stage, count: number) {
    super(input, { passes: true, oneByOne: true, perFile: true });
    this.#count = count;
  }

  override get order(): number {
    return this.#count === Infinity ? -1 : this.#count;
  }

  override get size(): number | undefined {
    const size = this.input?.size;
    if (size === 0 || this.#count === 0) return 0;
    return size === undefined ? undefined : size * this.#count;
  }

  open(run: Run, from: Mark): Operator {
    const openPass = (pass: number, start: Mark): Operator => this.openInput(passOf(run, this.#count, pass), start);
    const most = this.#count === Infinity ? undefined : Math.max(0, this.#count - 1);
    const path = stagePath(run, this);
    return openFirst(from, run.scope, (first) => {
      const place = countedPlace(first, path, most);
      return new RepeatOperator(openPass, this.#count, run, first, place);
    });
  }
}

/** Returns the context of a pass. Each pass is an epoch of its own, also inside an outer repetition. */
function passOf(run: Run, count: number, pass: number): Run {
  return { ...run, epoch: run.epoch * (count === Infinity ? 1 : count) + pass };
}

class RepeatOperator implements Operator {
  readonly #openPass: (pass: number, from: Mark) => Operator;
  readonly #count: number;
  readonly #run: Run;
  #operator: Operator | undefined;
  #pass: number;
  /** True if this pass has yielded an element. */
  #given: boolean;
  #from: Mark;

  constructor(
    openPass: (pass: number, from: Mark) => Operator,
    count: number,
    run: Run,
    from: Mark,
    [place, pass]: ReturnType<typeof countedPlace>,
  ) {
    this.#openPass = openPass;
    this.#count = count;
    this.#run = run;
    this.#pass = pass;
    this.#given = from[0] !== null;
    this.#from = markAfter(place, from[1]);
  }

  async next(max: number): Promise<Chunk | undefined> {
    while (this.#pass < this.#count) {
      await this.#run.scope.breathe();
      if (this.#run.scope.closed) return undefined;
      this.#operator ??= this.#openPass(this.#pass, this.#from);
      const chunk = await this.#operator.next(max);
      if (chunk !== undefined) {
        this.#given = true;
        return { elements: chunk.elements, mark: countedMark(chunk.mark, this.#pass) };
      }
      await this.#operator.close();
      this.#operator = undefined;
      this.#from = START;
      if (!this.#given) this.#pass = this.#count;
      this.#pass++;
      this.#given = false;
    }
    return undefined;
  }

  async close(): Promise<void> {
    this.#pass = Infinity;
    await this.#operator?.close();
  }
}
