import type { ErrorPolicy } from '../../../record';
import type { ElementFunction } from '../../engine/calls';
import { CallContext, type CallScope } from '../../engine/element-context';
import { ArrayElements, type Elements } from '../../engine/elements';
import { userError } from '../../engine/errors';
import type { Input } from '../../engine/input';
import {
  type Chunk,
  type Json,
  type Mark,
  misplaced,
  type Operator,
  placeCount,
  placeList,
  placeListUpTo,
  placeMark,
  START,
} from '../../engine/operator';
import { gatheredOrigins } from '../../engine/origins';
import { callKey, type Run, stagePath } from '../../engine/run';
import { MAX_ELEMENTS } from '../../engine/scope';
import { bytesIn } from '../../engine/sizes';
import type { Stage } from '../../engine/stage';

/**
 * The place of an unordered map: the mark and number of the oldest element whose result was not yielded; then, relative
 * to that number, the numbers of later elements that were yielded, and of those that must be yielded next.
 */
type UnorderedPosition = readonly [oldest: Mark, first: number, given: readonly number[], coming: readonly number[]];

/** Number of elements that calls may be ahead of the oldest one, for each call that may be under way. */
const WINDOW = 16;
/** Maximum number of calls under way. */
const MAX_CALLS = 65_536;
/** Maximum number of elements that a call can be ahead of the oldest one. */
const MAX_AHEAD = WINDOW * MAX_CALLS;

/** A call that is under way or has settled. */
interface Call {
  readonly elements: Elements;
  readonly at: number;
  readonly mark: Mark;
  readonly index: number;
  bytes: number;
  value: unknown;
}

/**
 * Calls a function for the elements of an input, at most `parallel` at a time, and yields results as soon as they are
 * ready.
 */
export class UnorderedMapOperator implements Operator {
  readonly #input: Input;
  readonly #call: ElementFunction;
  readonly #parallel: number;
  readonly #run: Run;
  readonly #scope: CallScope;
  readonly #stage: string;
  readonly #policy: ErrorPolicy;
  /** Calls whose results were not yielded yet, by number, the oldest first. */
  readonly #calls = new Map<number, Call>();
  /** Settled calls whose results were not yielded yet, in the order in which they settled. */
  #done: Call[] = [];
  /** Numbers of elements after the oldest pending one whose results were yielded. */
  readonly #given: Set<number>;
  /** Numbers of elements that must be yielded first: the rest of a chunk that a state interrupted. */
  #coming: number[];
  /** The last number of `#coming`. It may be beyond the window, if `parallel` is lower than before. */
  readonly #lastComing: number;
  #index: number;
  #each = 0;
  #loading: Promise<void> | undefined;
  /** True if a call has settled since `next` last checked. */
  #changed = false;
  #endWait = (): void => undefined;
  #ended = false;
  #closed = false;
  #failure: { readonly error: unknown } | undefined;

  /** `input` starts at the oldest element of `from`. */
  constructor(input: Input, call: ElementFunction, run: Run, stage: Stage, parallel: number, from: Mark) {
    const [, first, given, coming] = placeOf(from, stagePath(run, stage));
    const skip = from[1];
    this.#input = input;
    this.#call = call;
    this.#parallel = parallel;
    this.#run = run;
    this.#scope = { epoch: run.epoch, key: callKey(run, stage), scope: run.scope };
    this.#stage = stagePath(run, stage);
    this.#policy = run.policy(this.#stage);
    this.#given = new Set([...given, ...coming.slice(0, skip)].map((number) => first + number));
    this.#coming = coming.slice(skip).map((number) => first + number);
    this.#index = first;
    this.#lastComing = this.#coming.reduce((most, index) => Math.max(most, index), -1);
  }

  async next(max: number): Promise<Chunk | undefined> {
    for (;;) {
      this.#changed = false;
      await this.#fill();
      if (this.#ended || this.#failure !== undefined) this.#forgetMissing();
      const ready = this.#ready(max);
      if (ready.length > 0) return this.#give(ready);
      if (this.#calls.size > 0 || this.#loading !== undefined) {
        if (!this.#closed && !this.#changed) await new Promise<void>((resolve) => (this.#endWait = resolve));
        if (!this.#closed) continue;
      }
      if (this.#failure !== undefined) throw this.#failure.error;
      return undefined;
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const call of this.#calls.values()) this.#run.scope.budget.release(call.bytes);
    this.#calls.clear();
    this.#wake();
    return this.#input.close();
  }

  #wake(): void {
    this.#changed = true;
    this.#endWait();
  }

  /** Starts as many calls as are allowed. Waits for the input only if there is nothing else to wait for. */
  async #fill(): Promise<void> {
    const input = this.#input;
    while (!this.#ended && this.#failure === undefined && !this.#closed && this.#mayCall()) {
      if (input.ready) {
        this.#begin();
        continue;
      }
      this.#loading ??= this.#load();
      const loaded = this.#loading;
      if (this.#calls.size === 0) await loaded;
      else if (!(await this.#run.scope.settlesSoon(loaded))) return;
    }
  }

  async #load(): Promise<void> {
    try {
      if (!(await this.#input.load(this.#parallel))) this.#ended = true;
    } catch (error) {
      this.#failure = { error };
    }
    this.#loading = undefined;
    this.#wake();
  }

  #mayCall(): boolean {
    const { size } = this.#calls;
    if (size === 0) return true;
    // Elements that must be yielded first may be after results that wait for them, so settled calls are not counted.
    const busy = this.#coming.length > 0 ? size - this.#done.length : size;
    if (busy >= this.#parallel) return false;
    if (this.#coming.length > 0 && this.#index <= this.#lastComing) return true;
    if (this.#index - this.#first() >= WINDOW * this.#parallel) return false;
    const { room } = this.#run.scope.budget;
    return this.#coming.length > 0 || (room > 0 && room >= this.#each);
  }

  /** Number of the oldest element whose result was not yielded. */
  #first(): number {
    for (const [index] of this.#calls) return index;
    return this.#index;
  }

  #begin(): void {
    const input = this.#input;
    const { elements, mark } = input;
    const at = input.index++;
    const index = this.#index++;
    if (this.#given.has(index)) return;
    let value: unknown;
    try {
      value = elements.at(at);
    } catch (error) {
      this.#failure = { error };
      return;
    }
    const call: Call = { elements, at, mark, index, bytes: Math.max(this.#each, bytesIn(value)), value: undefined };
    this.#run.scope.budget.hold(call.bytes);
    this.#calls.set(index, call);
    callSafely(this.#call, value, new CallContext(this.#scope, elements.origins, at, index)).then(
      (result) => this.#settle(call, value, result),
      (cause: unknown) => this.#fail(call, cause),
    );
  }

  #settle(call: Call, value: unknown, result: unknown): void {
    if (!this.#calls.has(call.index)) return;
    call.value = result;
    this.#each = bytesIn(value) + bytesIn(result);
    this.#run.scope.budget.hold(this.#each - call.bytes);
    call.bytes = this.#each;
    this.#done.push(call);
    this.#wake();
  }

  #fail(call: Call, cause: unknown): void {
    if (!this.#calls.has(call.index)) return;
    try {
      const error = userError(this.#stage, call.elements.origins.origin(call.at), cause);
      if (this.#policy.resolve(error) === 'stop') this.#ended = true;
    } catch (error) {
      this.#failure ??= { error };
    }
    if (this.#ended || this.#failure !== undefined) this.#giveUp();
    else this.#leave(call);
    this.#wake();
  }

  /** Discards pending calls; settled results are still yielded. */
  #giveUp(): void {
    this.#coming.length = 0;
    for (const call of this.#calls.values()) if (!this.#done.includes(call)) this.#leave(call);
  }

  /** Stops waiting for numbers that the input does not have. */
  #forgetMissing(): void {
    this.#coming = this.#coming.filter((index) => this.#calls.has(index));
  }

  /** Removes `call`, whose result was yielded or skipped. */
  #leave(call: Call): void {
    this.#run.scope.budget.release(call.bytes);
    this.#calls.delete(call.index);
    this.#given.add(call.index);
    const at = this.#coming.indexOf(call.index);
    if (at >= 0) this.#coming.splice(at, 1);
  }

  /** Returns up to `max` results that may be yielded now. */
  #ready(max: number): Call[] {
    if (this.#coming.length === 0) return this.#done.slice(0, max);
    const ready: Call[] = [];
    for (const index of this.#coming.slice(0, max)) {
      const call = this.#done.find((done) => done.index === index);
      if (call === undefined) break;
      ready.push(call);
    }
    return ready;
  }

  #give(ready: readonly Call[]): Chunk {
    const mark = this.#mark(ready);
    const elements = new ArrayElements(
      ready.map(({ value }) => value),
      gatheredOrigins(
        ready.map(({ elements: { origins } }) => origins),
        ready.map(({ at }) => at),
      ),
    );
    for (const call of ready) this.#leave(call);
    this.#done = this.#done.filter((call) => !ready.includes(call));
    this.#policy.passed(ready.length);
    return { elements, mark };
  }

  /** Returns the mark of the chunk `ready`, before it is yielded. */
  #mark(ready: readonly Call[]): Mark {
    const [oldest] = this.#calls;
    const [first, { mark }] = oldest!;
    for (const index of this.#given) if (index < first) this.#given.delete(index);
    const given = [...this.#given];
    const place: UnorderedPosition = [
      mark,
      first,
      given.map((index) => index - first),
      ready.map(({ index }) => index - first),
    ];
    return [place, 0];
  }
}

/** Returns the checked place of a mark for the stage at `path`. @throws TFRecordError TFR_STATE_MISMATCH */
export function placeOf([at]: Mark, path: string): UnorderedPosition {
  if (at === null) return [START, 0, [], []];
  const [oldest, first, before, later] = placeList(path, at, 4);
  const givenList = placeListUpTo(path, before, MAX_AHEAD);
  const comingList = placeListUpTo(path, later, MAX_AHEAD);
  // An element before the last offset that is in neither list is under way, or was in the `coming` list of an earlier
  // state.
  const most = givenList.length + comingList.length + MAX_CALLS + MAX_ELEMENTS;
  const offsets = (list: readonly Json[]): number[] =>
    list.map((offset) => placeCount(path, 'a number after the oldest', offset, most));
  const [given, coming] = [offsets(givenList), offsets(comingList)];
  if (new Set([...given, ...coming]).size < given.length + coming.length) {
    throw misplaced(path, 'each element once', later);
  }
  return [placeMark(path, oldest), placeCount(path, 'the number of an element', first, 2 ** 52), given, coming];
}

/** Calls `call`. Rejects if it throws. */
async function callSafely(call: ElementFunction, value: unknown, context: CallContext): Promise<unknown> {
  return call(value, context);
}
