/** Native parsers, one for each plan. */
import { callNative } from '../../base';
import { native, type ParserHandle } from '../../native';
import type { Int64As } from '../../tensor';
import { specError } from '../kinds';
import type { Plan } from './plan';

const idle: Record<Int64As, WeakMap<Plan, ParserHandle>> = { bigint: new WeakMap(), number: new WeakMap() };

/**
 * Checks padding that `int64: 'number'` would round, because it belongs to no record. (A default of `fixedLen` is
 * checked with the record that uses it.) @throws TFRecordError TFR_SPEC
 */
export function checkPadding({ features }: Plan, int64: Int64As): void {
  if (int64 === 'bigint') return;
  for (const { name, definition } of features) {
    const padding = definition.padding();
    if (typeof padding !== 'bigint' || Number.isSafeInteger(Number(padding))) continue;
    const [expected, found] = ['integers within ±(2^53 - 1)', String(padding)];
    const what = `int64: "number" asks for ${expected}, and its default is ${found}: int64: "bigint" takes all`;
    throw specError(what, { feature: name, expected, found });
  }
}

/** Returns a new parser for `plan`. @throws TFRecordError TFR_SPEC, like {@link checkPadding} */
export function newParser(plan: Plan, int64: Int64As): ParserHandle {
  checkPadding(plan, int64);
  return callNative('<bytes>', () => native().parserNew(plan.columns, plan.sequenceExample, int64 === 'number'));
}

/** Returns a parser for `plan`. Call {@link giveBackParser} after use. */
export function takeParser(plan: Plan, int64: Int64As): ParserHandle {
  const parser = idle[int64].get(plan) ?? newParser(plan, int64);
  idle[int64].delete(plan);
  return parser;
}

/** Keeps one parser of each plan for reuse. */
export function giveBackParser(plan: Plan, int64: Int64As, parser: ParserHandle): void {
  idle[int64].set(plan, parser);
}

/** Calls `use` with a parser for `plan`; a nested call gets another one. */
export function withParser<T>(plan: Plan, int64: Int64As, use: (parser: ParserHandle) => T): T {
  const parser = takeParser(plan, int64);
  try {
    return use(parser);
  } finally {
    giveBackParser(plan, int64, parser);
  }
}
