import { Input } from '../engine/input';
import { type Json, type Mark, type Operator, skipping, START } from '../engine/operator';
import { drawKey, type Run, stagePath } from '../engine/run';
import { openNested, Stage } from '../engine/stage';
import { userError } from '../engine/errors';
import { type Holder, InterleaveOperator, type InterleaveOptions } from './interleave-operator';
import { interleavePlace } from './interleave-place';
import { UnorderedInterleaveOperator } from './unordered-interleave';

/** The dataset of an input. */
export type StageFunction = (value: unknown) => Stage;

/**
 * `interleave`: the elements of `cycleLength` datasets in turn, `blockLength` at a time. A slot whose dataset ends gives up
 * its turn at once, and takes the next input when it is visited again (`tf.data.Dataset.interleave`).
 */
export class InterleaveStage extends Stage {
  readonly kind = 'interleave';
  readonly #stageOf: StageFunction;
  readonly #options: InterleaveOptions;
  readonly #code: Json;
  override readonly unordered: boolean;

  /** `code`: what `stageOf` was made of, as text. */
  constructor(input: Stage, stageOf: StageFunction, options: InterleaveOptions, code: Json) {
    super(input, 'draws');
    this.#stageOf = stageOf;
    this.#options = options;
    this.#code = code;
    this.unordered = !options.ordered;
  }

  override get order(): Json {
    const { cycleLength, blockLength, ordered } = this.#options;
    return ordered ? [cycleLength, blockLength] : [cycleLength, 'unordered'];
  }

  override get size(): undefined {
    return undefined;
  }

  override get contents(): Json {
    return this.#code;
  }

  override passesOn(): boolean {
    return true;
  }

  open(run: Run, from: Mark): Operator {
    const [at, skip] = from;
    const path = stagePath(run, this);
    const place = at === null ? null : interleavePlace(path, at, this.#options, this.input?.size);
    const start = place?.[0] ?? START;
    const inside = { path, key: drawKey(run, this), beside: this.#options.cycleLength };
    const holder: Holder = {
      scope: run.scope,
      path,
      // Of what is opened for an element, its records pass on; those of the input do not.
      input: this.readInput({ ...run, slabs: undefined }, start),
      again: run.again,
      open: (value, index, mark, again) => {
        const operator = openNested({ ...inside, run: { ...run, again } }, this.#stageFor(value, path), index, mark);
        return new Input(operator, run.scope, mark);
      },
    };
    if (this.unordered) {
      run.scope.noteUnordered(run.path);
      return skipping(new UnorderedInterleaveOperator(holder, this.#options, place, skip), skip, run.scope);
    }
    return skipping(new InterleaveOperator(holder, this.#options, place), skip, run.scope);
  }

  #stageFor(value: unknown, path: string): Stage {
    try {
      return this.#stageOf(value);
    } catch (cause) {
      throw userError(path, undefined, cause);
    }
  }
}
