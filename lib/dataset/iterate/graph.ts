import type { Stage } from '../core/stage';

/**
 * The stages from the source on, with the options that the order of elements depends on, as short text:
 * `range[0,1,10] > shuffle[3,null] > batch[2,false]`.
 */
export function describeStages(stage: Stage): string {
  const { input, kind, order, parts } = stage;
  const options = order === null ? '' : Array.isArray(order) ? JSON.stringify(order) : `[${JSON.stringify(order)}]`;
  const inside = parts.length === 0 ? '' : `(${parts.map(describeStages).join(', ')})`;
  const own = `${kind}${options}${inside}`;
  return input === undefined ? own : `${describeStages(input)} > ${own}`;
}
