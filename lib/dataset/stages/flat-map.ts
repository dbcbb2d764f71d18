import { invalidArgType } from '../../errors';
import { isIterable } from '../../record';
import { Calls, type ElementFunction } from '../engine/calls';
import { functionText } from '../engine/fingerprint';
import {
  type Json,
  type Mark,
  type Operator,
  placeCount,
  placeList,
  placeMark,
  skipping,
  START,
} from '../engine/operator';
import { drawKey, type Run, stagePath } from '../engine/run';
import { openNested, Stage } from '../engine/stage';
import { isThenable } from '../engine/element-context';
import { type ElementSource, openIterable } from '../sources/from';
import { FlatMapOperator, type FlatMapPlace, type OpenFlat } from './flat-map-operator';

/** The dataset that a value is, if it is one. */
export type StageOf = (value: unknown) => Stage | undefined;

/** `flatMap`: each element becomes the elements of what a function makes of it, in order: none, one or many. */
export class FlatMapStage extends Stage {
  readonly kind = 'flatMap';
  readonly #call: ElementFunction;
  readonly #stageOf: StageOf;
  readonly #code: Json;

  constructor(input: Stage, call: ElementFunction, stageOf: StageOf) {
    super(input, 'draws', 'calls');
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
    const open: OpenFlat = ({ values: [value], column, index: number }, mark) => {
      const stage = this.#stageOf(value);
      if (stage !== undefined) return openNested(holder, stage, number, mark);
      return openIterable(value as ElementSource, run, path, mark, column.places.origin(0));
    };
    return skipping(new FlatMapOperator({ run, path, input, calls, open }, place), skip, run.scope);
  }

  /** @throws TypeError for what has no elements; a string has none: whoever wants its characters says so. */
  #checked(result: unknown): unknown {
    if (isThenable(result)) return result.then((settled) => this.#checked(settled));
    const iterable = typeof result === 'object' && result !== null && isIterable(result);
    if (iterable || this.#stageOf(result) !== undefined) return result;
    throw invalidArgType('the result of fn', 'an iterable or a Dataset', result);
  }
}

function flatMapPlace(path: string, at: Json): FlatMapPlace {
  const [input, index, inside] = placeList(path, at, 3);
  return [placeMark(path, input), placeCount(path, 'the number of an element', index), placeMark(path, inside)];
}
