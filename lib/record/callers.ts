import { TFRecordError } from '../errors';

/** Frames of our own that stay above the callers' frames. */
const OWN_FRAMES = 4;
const FRAMES = /\n {4}at /;

/**
 * Adds the callers' frames to the stack of `error`. Asynchronous errors are made when a native thread returns, and have
 * only our own frames. Call this in an async function, after an `await`, if only the user waits for the function's
 * promise: then it costs nothing as long as nothing fails. For other promises, `here` is the stack of the call.
 */
export function withCallers(error: unknown, here: Here = callersHere(withCallers)): unknown {
  if (!(error instanceof TFRecordError)) return error;
  // Programs may format stacks in their own way.
  if (typeof here.stack !== 'string' || typeof error.stack !== 'string') return error;
  const callers = framesOf(here.stack);
  const frames = framesOf(error.stack);
  const last = callers.at(-1);
  if (last === undefined || frames.includes(last)) return error;
  const head = error.stack.split(FRAMES, 1)[0]!;
  error.stack = [head, ...frames.slice(0, OWN_FRAMES), ...callers].join('\n    at ');
  return error;
}

/** A stack, which is formatted only when somebody reads it. */
export interface Here {
  readonly stack?: unknown;
}

/** The stack above `below`, by default the caller's own; takes some microseconds. */
export function callersHere(below: (...args: never[]) => unknown = callersHere): Here {
  const here: Here = {};
  Error.captureStackTrace(here, below);
  return here;
}

function framesOf(stack: string): string[] {
  return stack.split(FRAMES).slice(1);
}
