import { invalidArgType, isIterable, TFRecordError } from '../../base';
import { checkFunction } from '../arguments';
import { Calls, type ElementFunction, type Results } from '../engine/calls';
import { isThenable } from '../engine/element-context';
import { ArrayElements, valuesOf, type Elements } from '../engine/elements';
import { functionText } from '../engine/fingerprint';
import { Input } from '../engine/input';
import {
  placeCount,
  placeList,
  placeMark,
  skipping,
  START,
  type Chunk,
  type Json,
  type Mark,
  type Operator,
} from '../engine/operator';
import { movedOrigins, NO_ORIGINS, type Origins } from '../engine/origins';
import { drawKey, stagePath, type Run } from '../engine/run';
import { openNested, Stage } from '../engine/stage';
import { Store } from '../engine/store';
import { openIterable, type ElementSource } from '../sources/from';

/** Returns the stage of a dataset; undefined for other values. */
type StageOf = (value: unknown) => Stage | undefined;

/**
 * The stage of `flatMap`, which replaces each element by the elements of a function's result, in order: none, one or
 * many.
 */
export class FlatMapStage extends Stage {
  readonly kind = 'flatMap';
  readonly #call: ElementFunction;
  readonly #stageOf: StageOf;
  readonly #code: Json;

  static of(input: Stage, fn: unknown, stageOf: StageOf): FlatMapStage {
    return new FlatMapStage(input, checkFunction('fn', fn), stageOf);
  }

  private constructor(input: Stage, call: ElementFunction, stageOf: StageOf) {
    super(input, { draws: true, calls: true, perFile: true });
    this.#stageOf = stageOf;
    this.#code = functionText(call);
    this.#call = (value, context) => this.#checked(call(value, context));
  }

  override get size(): undefined {
    return undefined;
  }

  override get contents(): Json {
    return this.#code;
  }

  open(run: Run, [at, skip]: Mark): Operator {
    const path = stagePath(run, this);
    const place = at === null ? null : flatMapPlace(path, at);
    const [start, index] = place ?? [START, 0];
    const input = this.readInput(run, start);
    const calls = new Calls(input, this.#call, run, this, 1, index);
    const holder = { run, path, key: drawKey(run, this), beside: 1 };
    const open: OpenFlat = ({ values: [value], elements, index: number }, mark) => {
      const stage = this.#stageOf(value);
      if (stage !== undefined) return openNested(holder, stage, number, mark);
      return openIterable(value as ElementSource, run, path, mark, elements.origins.origin(0));
    };
    return skipping(new FlatMapOperator({ run, path, calls, open }, place), skip, run.scope);
  }

  /** Checks the result of the function. @throws TypeError for values that cannot be iterated, and for strings */
  #checked(result: unknown): unknown {
    if (isThenable(result)) return result.then((settled) => this.#checked(settled));
    const iterable = typeof result === 'object' && result !== null && isIterable(result);
    if (iterable || this.#stageOf(result) !== undefined) return result;
    throw invalidArgType('the result of fn', 'an iterable or a Dataset', result);
  }
}

function flatMapPlace(path: string, at: Json): FlatMapPosition {
  const [input, index, inside] = placeList(path, at, 3);
  return [placeMark(path, input), placeCount(path, 'the number of an element', index), placeMark(path, inside)];
}

/**
 * The place of a flatMap: the mark of the current input element, its number, and the position in the elements of its
 * result.
 */
type FlatMapPosition = readonly [input: Mark, index: number, inside: Mark];

/** Opens the elements that the function returned for one input element, from `mark` on. */
type OpenFlat = (made: Results, mark: Mark) => Operator;

/** The arguments of {@link FlatMapOperator}. */
interface FlatMapParts {
  readonly run: Run;
  readonly path: string;
  readonly calls: Calls;
  readonly open: OpenFlat;
}

/** The elements that the function returned for one input element, while they are read. */
interface Made {
  readonly input: Mark;
  readonly index: number;
  readonly origins: Origins;
  readonly inside: Input;
}

class FlatMapOperator implements Operator {
  readonly #parts: FlatMapParts;
  /** The place to resume at; null after resuming. */
  #from: FlatMapPosition | null;
  #made: Made | undefined;
  /** The pending load of more elements. */
  #step: Promise<boolean> | undefined;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(parts: FlatMapParts, from: FlatMapPosition | null) {
    this.#parts = parts;
    this.#from = from;
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error;
    const drawn = new Store();
    let mark: Mark | undefined;
    try {
      while (drawn.length < max && (await this.#find(max, drawn.length > 0))) {
        const made = this.#made!;
        mark ??= [[made.input, made.index, made.inside.mark], 0];
        const elements = placed(made.inside.take(max - drawn.length), made.origins);
        if (elements.length === max) return { elements, mark };
        for (let i = 0; i < elements.length; i++) drawn.push(elements, i);
      }
    } catch (error) {
      if (drawn.length === 0) throw error;
      this.#failure = { error };
    }
    return mark === undefined ? undefined : { elements: drawn.take(), mark };
  }

  async close(): Promise<void> {
    this.#ended = true;
    await Promise.all([this.#parts.calls.close(), this.#made?.inside.close()]);
  }

  /** Loads an element if none is loaded; false at the end. If some were `drawn`, it does not wait for more. */
  async #find(max: number, drawn: boolean): Promise<boolean> {
    const { scope } = this.#parts.run;
    for (;;) {
      const inside = this.#made?.inside;
      if (inside !== undefined && inside.index < inside.elements.length) return true;
      if (this.#step === undefined) {
        this.#step = this.#advance(max);
        this.#step.catch(() => undefined);
      }
      if (drawn && (scope.due || !(await scope.settlesSoon(this.#step)))) return false;
      const step = this.#step;
      this.#step = undefined;
      if (!(await step)) return false;
    }
  }

  /** Loads more of the current elements, or continues with the next input element. False at the end. */
  async #advance(max: number): Promise<boolean> {
    const { run, calls, open } = this.#parts;
    await run.scope.breathe();
    if (this.#made !== undefined) {
      if (await this.#loadMore(this.#made.inside, max)) return true;
      await this.#made.inside.close();
      this.#made = undefined;
    }
    if (this.#ended) return false;
    const results = await calls.next(1, max);
    if (results === undefined || this.#ended) return false;
    const { mark: input, index } = results;
    const start = this.#from?.[1] === index ? this.#from[2] : START;
    this.#from = null;
    const inside = new Input(open(results, start), run.scope, start);
    this.#made = { input, index, origins: results.elements.origins, inside };
    return true;
  }

  /** Loads more of `inside`. False at its end, and after an error that the policy skips or stops at. */
  async #loadMore(inside: Input, max: number): Promise<boolean> {
    const { run, path } = this.#parts;
    try {
      return await inside.load(max);
    } catch (error) {
      // Inner stages have applied the policy to their own errors.
      const own = error instanceof TFRecordError && error.code === 'TFR_USER' && error.stage === path;
      if (!own) throw error;
      if (run.policy(path).resolve(error) === 'stop') this.#ended = true;
      return false;
    }
  }
}

/** Returns `elements` with the origins of their input element, unless they have their own. */
function placed(elements: Elements, origins: Origins): Elements {
  if (elements.origins !== NO_ORIGINS || origins === NO_ORIGINS) return elements;
  return new ArrayElements(
    valuesOf(elements),
    movedOrigins(origins, () => 0),
  );
}
