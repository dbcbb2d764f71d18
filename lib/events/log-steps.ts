/**
 * Reading of logs, written once for synchronous and asynchronous callers. A generator gives blocks of values, and yields what
 * it waits for; its driver answers that: {@link stepsNow} on the calling thread, {@link stepsSoon} without blocking it. So both
 * give the same values and fail with the same errors.
 */
import { LoopTurns } from '../base';
import { ValueBlock } from './value-block';

/** A result, or its promise. */
class Wait {
  readonly result: unknown;

  constructor(result: unknown) {
    this.result = result;
  }
}

/** `turn`: the event loop may turn here. */
type Step = ValueBlock | Wait | 'turn';

/** A generator that gives blocks and returns a `T`. Each block is valid until the next step. */
export type LogSteps<T = void> = Generator<Step, T, unknown>;

const turns = new LoopTurns();

/** Returns `result`, or what its promise resolves with. A promise that rejects throws here. */
export function* wait<T>(result: T | Promise<T>): LogSteps<T> {
  return (yield new Wait(result)) as T;
}

/** Lets the event loop of asynchronous callers turn, if that is due. */
export function* breathe(): LogSteps {
  if (turns.due) yield 'turn';
}

/** Takes the steps on the calling thread. Results must not be promises. */
export function* stepsNow<T>(steps: LogSteps<T>): Generator<ValueBlock, T, undefined> {
  const answer = (step: Wait | 'turn'): IteratorResult<Step, T> =>
    steps.next(step === 'turn' ? undefined : step.result);
  let step: IteratorResult<Step, T> | undefined;
  try {
    step = steps.next();
    while (step.done !== true) {
      if (step.value instanceof ValueBlock) {
        yield step.value;
        step = steps.next();
      } else step = answer(step.value);
    }
    return step.value;
  } finally {
    // Callers may leave at a block. What steps do at their end gives none.
    if (step?.done !== true) {
      step = steps.return(undefined as T);
      while (step.done !== true) step = answer(step.value as Wait);
    }
  }
}

/** Takes the steps without blocking the thread. */
export async function* stepsSoon<T>(steps: LogSteps<T>): AsyncGenerator<ValueBlock, T, undefined> {
  const answer = async (step: Wait | 'turn'): Promise<IteratorResult<Step, T>> => {
    let result: unknown;
    try {
      result = await (step === 'turn' ? turns.breathe() : step.result);
    } catch (error) {
      return steps.throw(error);
    }
    return steps.next(result);
  };
  let step: IteratorResult<Step, T> | undefined;
  try {
    step = steps.next();
    while (step.done !== true) {
      if (step.value instanceof ValueBlock) {
        yield step.value;
        step = steps.next();
      } else step = await answer(step.value);
    }
    return step.value;
  } finally {
    if (step?.done !== true) {
      step = steps.return(undefined as T);
      while (step.done !== true) step = await answer(step.value as Wait);
    }
  }
}
