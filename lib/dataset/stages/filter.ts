import { checkFunction, checkParallel } from '../arguments';
import { Calls, type ElementFunction, type Results } from '../engine/calls';
import { functionText } from '../engine/fingerprint';
import {
  countedMark,
  countedPlace,
  SkippedByState,
  skipping,
  sliceChunk,
  type Chunk,
  type Json,
  type Mark,
  type Operator,
} from '../engine/operator';
import { stagePath, type Run } from '../engine/run';
import { Stage } from '../engine/stage';
import type { CallOptions } from './map/map';

/** Number of consecutive elements from which on a warning is emitted if at least nine in ten are dropped. */
const WARN_FROM = 1000;
const WARN_SHARE = 0.9;

/** The stage of `filter`: the elements for which a function returns a truthy value. */
export class FilterStage extends Stage {
  readonly kind = 'filter';
  readonly #call: ElementFunction;
  readonly #parallel: number;

  static of(input: Stage, fn: unknown, options: CallOptions | undefined): FilterStage {
    return new FilterStage(input, checkFunction('fn', fn), checkParallel(options));
  }

  private constructor(input: Stage, call: ElementFunction, parallel: number) {
    super(input, { calls: true, oneByOne: true, perFile: true });
    this.#call = call;
    this.#parallel = parallel;
  }

  override get size(): undefined {
    return undefined;
  }

  override get contents(): Json {
    return functionText(this.#call);
  }

  open(run: Run, from: Mark): Operator {
    const [place, index] = countedPlace(from, stagePath(run, this));
    const input = this.readInput(run, place);
    const calls = new Calls(input, this.#call, run, this, this.#parallel, index);
    const [at, skip] = from;
    const path = stagePath(run, this);
    const passed = new SkippedByState(path, at === null ? 0 : skip);
    return skipping(new FilterOperator(calls, path, passed), at === null ? skip : 0, run.scope);
  }
}

class FilterOperator implements Operator {
  readonly #calls: Calls;
  readonly #stage: string;
  readonly #passed: SkippedByState;
  #seen = 0;
  #kept = 0;
  #warned = false;

  constructor(calls: Calls, stage: string, passed: SkippedByState) {
    this.#calls = calls;
    this.#stage = stage;
    this.#passed = passed;
  }

  async next(max: number): Promise<Chunk | undefined> {
    for (;;) {
      const results = await this.#calls.next(max);
      if (results === undefined) return undefined;
      const kept = this.#keptOf(results);
      const { elements, mark, index, values } = results;
      const passed = this.#passed.of(kept.length, values.length);
      if (kept.length === passed) continue;
      return sliceChunk({ elements: elements.select(kept), mark: countedMark(mark, index) }, passed);
    }
  }

  close(): Promise<void> {
    return this.#calls.close();
  }

  #keptOf({ values }: Results): number[] {
    const kept: number[] = [];
    for (let i = 0; i < values.length; i++) if (Boolean(values[i])) kept.push(i);
    this.#count(values.length, kept.length);
    return kept;
  }

  #count(seen: number, kept: number): void {
    this.#seen += seen;
    this.#kept += kept;
    if (this.#warned || this.#seen < WARN_FROM) return;
    if (this.#kept < (1 - WARN_SHARE) * this.#seen) {
      this.#warned = true;
      process.emitWarning(
        `${this.#stage} dropped ${this.#seen - this.#kept} of ${this.#seen} neighbouring elements.`,
        'TFRecordWarning',
      );
    }
    this.#seen = this.#kept = 0;
  }
}
