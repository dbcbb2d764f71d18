import { TFRecordError } from './errors';

/** Number of our own frames that stay above the callers' frames. */
const OWN_FRAMES = 4;
const FRAMES = /\n {4}at /;

/**
 * Adds the callers' frames to the stack of `error` and returns `error`. An asynchronous error is created when a native
 * thread returns, so its stack has only our own frames.
 *
 * Call this without `here` in an async function, after an `await`, if only the user awaits that function's promise: V8
 * then knows the callers, and it costs nothing unless an error occurs. For other promises, pass the stack of the call,
 * {@link callersHere}, as `here`.
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

/** A captured stack. It is formatted when it is read. */
interface Here {
  readonly stack?: unknown;
}

/** Captures the stack above the function `below`, by default that of the caller. Takes some microseconds. */
export function callersHere(below: (...args: never[]) => unknown = callersHere): Here {
  const here: Here = {};
  Error.captureStackTrace(here, below);
  return here;
}

function framesOf(stack: string): string[] {
  return stack.split(FRAMES).slice(1);
}
