import { plain } from '../engine/labels';
import type { Json } from '../engine/operator';
import type { Stage } from '../engine/stage';

/**
 * Describes the stages from the source on, with the options that the order of elements depends on, as short text:
 * `range[0,1,10] > shuffle[3,null] > batch[2,false]`. States store it, and resuming compares it.
 */
export function describeOrder(stage: Stage): string {
  const { input, kind, order, parts, traits } = stage;
  if (input !== undefined && traits.outsideState === true) return describeOrder(input);
  const options = order === null ? '' : Array.isArray(order) ? JSON.stringify(order) : `[${JSON.stringify(order)}]`;
  const inside = parts.length === 0 ? '' : `(${parts.map(describeOrder).join(', ')})`;
  const own = `${kind}${options}${inside}`;
  return input === undefined ? own : `${describeOrder(input)} > ${own}`;
}

/** True if a place in `last` is exact even if a stage of its chain hands its elements over in any order. */
export function isExact(last: Stage): boolean {
  let above = true;
  for (let stage: Stage | undefined = last; stage !== undefined; stage = stage.input) {
    const { unordered = false, oneByOne = false } = stage.traits;
    if (unordered && !above) return false;
    above &&= oneByOne && !unordered;
  }
  return true;
}

/** Describes the stages from the source on for people, each with named options: `shuffle(10000, seed 42)`. */
export function explainStages(last: Stage): string[] {
  const stages: string[] = [];
  for (let stage: Stage | undefined = last; stage !== undefined; stage = stage.input) stages.unshift(explain(stage));
  return stages;
}

function explain(stage: Stage): string {
  const { kind, order, parts, labels, chosen } = stage;
  const values = order === null ? [] : Array.isArray(order) ? (order as readonly Json[]) : [order];
  const printed = values.map((value, i) => (labels[i] ?? plain)(value));
  const options = [...printed, chosen].filter((option) => option !== undefined).join(', ');
  const inside = parts.map((part) => explainStages(part).join(' > ')).join(', ');
  return kind + (options === '' ? '' : `(${options})`) + (inside === '' ? '' : ` { ${inside} }`);
}
