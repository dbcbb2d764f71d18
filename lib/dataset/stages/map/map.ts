import { checkBoolean, checkOptions } from '../../../base';
import { checkFunction, checkParallel } from '../../arguments';
import { Calls, type ElementFunction } from '../../engine/calls';
import { ArrayElements } from '../../engine/elements';
import { functionText } from '../../engine/fingerprint';
import {
  markAfter,
  countedMark,
  countedPlace,
  type Chunk,
  type Json,
  type Mark,
  type Operator,
} from '../../engine/operator';
import { stagePath, type Run } from '../../engine/run';
import { Stage } from '../../engine/stage';
import { placeOf, UnorderedMapOperator } from './unordered-map';

/** Options of stages that call a function. Unknown names throw. */
export interface CallOptions {
  /**
   * Maximum number of calls under way at a time, for functions that return promises; results keep the order of the
   * elements. Default 1.
   */
  parallel?: number | undefined;
}

/** Options of `map`. Unknown names throw. */
export interface MapOptions extends CallOptions {
  /**
   * If false, results are yielded as soon as they are ready. Resuming from a state still yields each element exactly
   * once, unless a later stage joins elements or changes their order: the state then has `exact: false`. Default true.
   */
  ordered?: boolean | undefined;
}

/** The stage of `map`, which replaces each element by the result of a function. */
export class MapStage extends Stage {
  readonly kind = 'map';
  readonly #call: ElementFunction;
  readonly #parallel: number;

  static of(input: Stage, fn: unknown, options: MapOptions | undefined): MapStage {
    const call = checkFunction('fn', fn);
    const { ordered, ...others } = checkOptions(options, ['parallel', 'ordered']);
    const inOrder = checkBoolean('options.ordered', ordered, true);
    return new MapStage(input, call, checkParallel(others), inOrder);
  }

  private constructor(input: Stage, call: ElementFunction, parallel: number, ordered: boolean) {
    super(input, { calls: true, oneByOne: true, perFile: true, unordered: !ordered });
    this.#call = call;
    this.#parallel = parallel;
  }

  override get order(): Json {
    return this.traits.unordered === true ? 'unordered' : null;
  }

  override get contents(): Json {
    return functionText(this.#call);
  }

  open(run: Run, from: Mark): Operator {
    if (this.traits.unordered === true) return this.#openUnordered(run, from);
    const [place, index] = countedPlace(from, stagePath(run, this));
    const skip = from[1];
    // There is one result for each element, so resuming need not call the function for earlier elements.
    const input = this.readInput(run, markAfter(place, skip));
    return new MapOperator(new Calls(input, this.#call, run, this, this.#parallel, index + skip));
  }

  #openUnordered(run: Run, from: Mark): Operator {
    run.scope.noteUnordered(run.path);
    const input = this.readInput(run, placeOf(from, stagePath(run, this))[0]);
    return new UnorderedMapOperator(input, this.#call, run, this, this.#parallel, from);
  }
}

class MapOperator implements Operator {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  async next(max: number): Promise<Chunk | undefined> {
    const results = await this.#calls.next(max);
    if (results === undefined) return undefined;
    const { elements, values, mark, index } = results;
    return { elements: new ArrayElements(values, elements.origins), mark: countedMark(mark, index) };
  }

  close(): Promise<void> {
    return this.#calls.close();
  }
}
