/** Native parsers, one a plan. */
import { native, type ParserHandle } from '../../native';
import type { Int64As } from '../tensor';
import type { Plan } from './plan';

const NO_BLOCK = new Uint8Array(0);
const idle: Record<Int64As, WeakMap<Plan, ParserHandle>> = { bigint: new WeakMap(), number: new WeakMap() };

/** A parser for `plan`, of which nobody else makes use; `block`: see `parserRow`. */
export function newParser(plan: Plan, int64: Int64As, block = NO_BLOCK): ParserHandle {
  return native().parserNew(plan.columns, plan.sequenceExample, int64 === 'number', block);
}

/** A parser for `plan`, to be given back. */
export function takeParser(plan: Plan, int64: Int64As): ParserHandle {
  const parser = idle[int64].get(plan) ?? newParser(plan, int64);
  idle[int64].delete(plan);
  return parser;
}

/** One of each plan is kept. */
export function giveBackParser(plan: Plan, int64: Int64As, parser: ParserHandle): void {
  idle[int64].set(plan, parser);
}

/** Calls `use` with a parser for `plan`; a call from within that one gets another. */
export function withParser<T>(plan: Plan, int64: Int64As, use: (parser: ParserHandle) => T): T {
  const parser = takeParser(plan, int64);
  try {
    return use(parser);
  } finally {
    giveBackParser(plan, int64, parser);
  }
}
