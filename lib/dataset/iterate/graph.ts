import type { Stage } from '../core/stage';

const SPEED: ReadonlySet<string> = new Set(['prefetch']);

/**
 * The stages from the source on, with the options that the order of elements depends on, as short text:
 * `range[0,1,10] > shuffle[3,null] > batch[2,false]`.
 */
export function describeStages(stage: Stage): string {
  return describe(stage, new Set());
}

/** The same without the stages that change the speed alone: what a state belongs to. */
export function describeOrder(stage: Stage): string {
  return describe(stage, SPEED);
}

function describe(stage: Stage, without: ReadonlySet<string>): string {
  const { input, kind, order, parts } = stage;
  if (input !== undefined && without.has(kind)) return describe(input, without);
  const options = order === null ? '' : Array.isArray(order) ? JSON.stringify(order) : `[${JSON.stringify(order)}]`;
  const inside = parts.length === 0 ? '' : `(${parts.map((part) => describe(part, without)).join(', ')})`;
  const own = `${kind}${options}${inside}`;
  return input === undefined ? own : `${describe(input, without)} > ${own}`;
}
