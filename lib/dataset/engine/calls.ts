import type { ErrorPolicy } from '../../record';
import { CallContext, type CallScope, type ElementContext, isThenable } from './element-context';
import type { Elements } from './elements';
import type { Input } from './input';
import { markAfter, type Mark } from './operator';
import { callKey, type Run, stagePath } from './run';
import { bytesIn } from './sizes';
import type { Stage } from './stage';
import { userError } from './errors';

/** Number of elements between two checks of the clock. */
const LOOK_EVERY = 16;

/** A callback of the user, called for each element. */
export type ElementFunction = (value: unknown, context: ElementContext) => unknown;

/** A call that is under way or has settled. */
interface Call extends Called {
  /** Bytes of its element and of its result, if it has one already. */
  bytes: number;
  outcome: { readonly value: unknown } | { readonly error: unknown } | undefined;
  /** Resolves when `outcome` is set. */
  settled: Promise<void> | undefined;
}

/**
 * Calls a function for the elements of an input, at most `parallel` at a time, and returns the results in the order of
 * the elements: the next one as soon as it is ready, together with those after it that are ready, too.
 */
export class Calls {
  readonly #input: Input;
  readonly #call: ElementFunction;
  readonly #parallel: number;
  readonly #run: Run;
  readonly #scope: CallScope;
  readonly #policy: ErrorPolicy;
  readonly #stage: string;
  /** Calls whose results were not returned yet, in the order of their elements. */
  readonly #calls: Call[] = [];
  #index: number;
  /** Resolves when the next chunk of the input is loaded; undefined while no load is pending. */
  #loading: Promise<void> | undefined;
  /** Thrown after the results before it were returned. */
  #failure: { readonly error: unknown } | undefined;
  #ended = false;
  /** Approximate bytes of an element and its result. */
  #each = 0;

  /** @param index of the first element in its epoch */
  constructor(input: Input, call: ElementFunction, run: Run, stage: Stage, parallel: number, index: number) {
    this.#input = input;
    this.#call = call;
    this.#parallel = parallel;
    this.#run = run;
    this.#scope = { epoch: run.epoch, key: callKey(run, stage), scope: run.scope };
    this.#stage = stagePath(run, stage);
    this.#policy = run.policy(this.#stage);
    this.#index = index;
  }

  /** Returns 1 to `max` results; undefined at the end. Loads `ahead` elements of the input at a time. */
  async next(max: number, ahead = max): Promise<Results | undefined> {
    for (;;) {
      const results = await this.#some(max, ahead);
      if (results !== undefined) return results;
      if (this.#calls.length > 0 || !this.#over) continue;
      if (this.#failure !== undefined) throw this.#failure.error;
      return undefined;
    }
  }

  /** Returns some results; undefined if there are no more elements, or all were skipped. */
  async #some(max: number, ahead: number): Promise<Results | undefined> {
    if (this.#calls.length === 0 && !this.#over && (await this.#load(ahead))) {
      const results = this.#callAtOnce(max);
      if (results !== undefined) return results;
    }
    await this.#fill(ahead);
    const [first] = this.#calls;
    if (first === undefined) return undefined;
    if (first.outcome === undefined) await first.settled;
    return this.#collect(max);
  }

  get #over(): boolean {
    return this.#ended || this.#failure !== undefined;
  }

  /** Waits for an element of the input. False at its end, and after an error. */
  async #load(max: number): Promise<boolean> {
    await (this.#loading ??= this.#input.load(max).then(
      (loaded) => {
        this.#loading = undefined;
        if (!loaded) this.#ended = true;
      },
      (error: unknown) => {
        this.#loading = undefined;
        this.#failure = { error };
      },
    ));
    return !this.#over;
  }

  /**
   * Calls the function for loaded elements as long as it returns plain values. Returns undefined if the first result is
   * a promise, or if there is no result.
   */
  #callAtOnce(max: number): Results | undefined {
    const input = this.#input;
    const { elements } = input;
    const { origins } = elements;
    const run = new ResultRun();
    let end = Math.min(elements.length, input.index + max);
    while (input.index < end) {
      if (input.index % LOOK_EVERY === LOOK_EVERY - 1 && this.#run.scope.due && run.values.length > 0) break;
      const at = input.index++;
      const index = this.#index++;
      const element = this.#element(elements, at);
      if (element === undefined) break;
      let value;
      try {
        value = this.#call(element.value, new CallContext(this.#scope, origins, at, index));
      } catch (error) {
        if (this.#continues(elements, at, error) && run.values.length === 0) continue;
        break;
      }
      if (isThenable(value)) {
        this.#calls.push(this.#begin(value, element.value, elements, at, index));
        break;
      }
      if (run.values.length === 0) run.begin({ elements, at, mark: this.#lastMark(), index });
      run.values.push(value);
      // The first result gives an estimate of the size of the others.
      if (run.values.length === 1) end = Math.min(end, at + this.#run.scope.budget.chunkOf(bytesIn(value)));
    }
    return this.#results(run);
  }

  /**
   * Starts calls until `parallel` are under way. Results that wait for an earlier one count as calls, which limits how
   * many are held.
   */
  async #fill(ahead: number): Promise<void> {
    const input = this.#input;
    while (this.#mayCall() && !this.#over) {
      if (input.index >= input.elements.length) {
        const [first] = this.#calls;
        const loaded = this.#load(ahead);
        if (first !== undefined) {
          // A slow input does not delay results.
          if (first.outcome === undefined) await Promise.race([loaded, first.settled]);
          if (this.#loading !== undefined) return;
        }
        await loaded;
        continue;
      }
      const { elements } = input;
      const at = input.index++;
      const index = this.#index++;
      const element = this.#element(elements, at);
      if (element === undefined) return;
      const value = callSafely(this.#call, element.value, new CallContext(this.#scope, elements.origins, at, index));
      this.#calls.push(this.#begin(value, element.value, elements, at, index));
    }
  }

  /** True if one more call may start. */
  #mayCall(): boolean {
    const { length } = this.#calls;
    const { room } = this.#run.scope.budget;
    return length === 0 || (length < this.#parallel && room > 0 && room >= this.#each);
  }

  /** Discards the results, and closes the input. */
  close(): Promise<void> {
    for (const call of this.#calls.splice(0)) this.#hold(call, -call.bytes);
    return this.#input.close();
  }

  /** Adds `bytes` of a concurrent call to the budget; negative numbers release them. */
  #hold(call: Call, bytes: number): void {
    if (this.#parallel === 1) return;
    call.bytes += bytes;
    this.#run.scope.budget.hold(bytes);
  }

  /** Returns element `at` of `elements`; undefined if it cannot be made, which is not an error of the function. */
  #element(elements: Elements, at: number): { readonly value: unknown } | undefined {
    try {
      return { value: elements.at(at) };
    } catch (error) {
      this.#failure = { error };
      return undefined;
    }
  }

  #begin(value: PromiseLike<unknown>, element: unknown, elements: Elements, at: number, index: number): Call {
    const mark = this.#lastMark();
    const call: Call = { elements, at, mark, index, bytes: 0, outcome: undefined, settled: undefined };
    if (this.#parallel > 1) this.#hold(call, Math.max(this.#each, bytesIn(element)));
    call.settled = Promise.resolve(value).then(
      (result: unknown) => {
        call.outcome = { value: result };
        this.#weigh(call, element, result);
      },
      (error: unknown) => void (call.outcome = { error }),
    );
    return call;
  }

  /** Corrects the bytes of a call by its result. */
  #weigh(call: Call, element: unknown, result: unknown): void {
    if (this.#parallel === 1 || !this.#calls.includes(call)) return;
    this.#each = bytesIn(element) + bytesIn(result);
    this.#hold(call, this.#each - call.bytes);
  }

  /** Returns the results that are ready, for neighbouring elements; undefined if there is none, or all were skipped. */
  #collect(max: number): Results | undefined {
    const run = new ResultRun();
    while (run.values.length < max) {
      const [call] = this.#calls;
      if (call?.outcome === undefined || !run.continuesWith(call)) break;
      this.#calls.shift();
      this.#hold(call, -call.bytes);
      if ('error' in call.outcome) {
        if (this.#continues(call.elements, call.at, call.outcome.error) && run.values.length === 0) continue;
        break;
      }
      if (run.values.length === 0) run.begin(call);
      run.values.push(call.outcome.value);
    }
    return this.#results(run);
  }

  #results(run: ResultRun): Results | undefined {
    this.#policy.passed(run.values.length);
    return run.results();
  }

  /** Returns the mark of the element that was read last. */
  #lastMark(): Mark {
    return markAfter(this.#input.mark, -1);
  }

  /** Returns true if the policy skips element `at` of `elements`, whose call threw `cause`; else ends the stage. */
  #continues(elements: Elements, at: number, cause: unknown): boolean {
    try {
      if (this.#policy.resolve(userError(this.#stage, elements.origins.origin(at), cause)) === 'skip') return true;
      this.#ended = true;
    } catch (error) {
      this.#failure = { error };
    }
    for (const call of this.#calls.splice(0)) this.#hold(call, -call.bytes);
    return false;
  }
}

/** Calls `call`. Rejects if it throws. */
async function callSafely(call: ElementFunction, value: unknown, context: ElementContext): Promise<unknown> {
  return call(value, context);
}

/** Results of calls for neighbouring elements. */
export interface Results {
  /** The elements, one for each result. */
  readonly elements: Elements;
  readonly values: readonly unknown[];
  /** Position of the first element, and its number in the epoch. */
  readonly mark: Mark;
  readonly index: number;
}

/** The element that the function is called for. */
interface Called {
  readonly elements: Elements;
  readonly at: number;
  /** Position of the element, and its number in the epoch. */
  readonly mark: Mark;
  readonly index: number;
}

/** Collects results of calls for neighbouring elements. */
class ResultRun {
  readonly values: unknown[] = [];
  #first: Called | undefined;

  begin(first: Called): void {
    this.#first = first;
  }

  /** True if `call` is for the element that follows the last one. */
  continuesWith({ elements, at }: Called): boolean {
    const first = this.#first;
    return first === undefined || (first.elements === elements && first.at + this.values.length === at);
  }

  results(): Results | undefined {
    if (this.#first === undefined) return undefined;
    const { elements, at, mark, index } = this.#first;
    return { elements: elements.slice(at, at + this.values.length), values: this.values, mark, index };
  }
}
