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

/** Calls `use` with a parser for `plan`; a call from within that one gets another. */
export function withParser<T>(plan: Plan, int64: Int64As, use: (parser: ParserHandle) => T): T {
  const parser = idle[int64].get(plan) ?? newParser(plan, int64);
  idle[int64].delete(plan);
  try {
    return use(parser);
  } finally {
    idle[int64].set(plan, parser);
  }
}
