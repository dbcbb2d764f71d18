import type { Stage } from '../core/stage';

/** Stages that have no part in the order: one may be changed, and a state still fits. */
const NO_ORDER: ReadonlySet<string> = new Set(['prefetch', 'onError', 'seed']);

/**
 * The stages from the source on, with the options that the order of elements depends on, as short text:
 * `range[0,1,10] > shuffle[3,null] > batch[2,false]`.
 */
export function describeStages(stage: Stage): string {
  return describe(stage, new Set());
}

/** The same without the stages that have no part in the order: what a state, which has its seed, belongs to. */
export function describeOrder(stage: Stage): string {
  return describe(stage, NO_ORDER);
}

function describe(stage: Stage, without: ReadonlySet<string>): string {
  const { input, kind, order, parts } = stage;
  if (input !== undefined && without.has(kind)) return describe(input, without);
  const options = order === null ? '' : Array.isArray(order) ? JSON.stringify(order) : `[${JSON.stringify(order)}]`;
  const inside = parts.length === 0 ? '' : `(${parts.map((part) => describe(part, without)).join(', ')})`;
  const own = `${kind}${options}${inside}`;
  return input === undefined ? own : `${describe(input, without)} > ${own}`;
}
