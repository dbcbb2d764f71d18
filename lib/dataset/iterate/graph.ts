import type { Stage } from '../engine/stage';

/** Stages that have no part in the order: one may be changed, and a state still fits. */
const NO_ORDER: ReadonlySet<string> = new Set(['prefetch', 'onError', 'seed']);

/**
 * The stages from the source on, with the options that the order of elements depends on, as short text:
 * `range[0,1,10] > shuffle[3,null] > batch[2,false]`. What a state, which has its seed, belongs to. It is stored in states
 * and compared with them.
 */
export function describeOrder(stage: Stage): string {
  const { input, kind, order, parts } = stage;
  if (input !== undefined && NO_ORDER.has(kind)) return describeOrder(input);
  const options = order === null ? '' : Array.isArray(order) ? JSON.stringify(order) : `[${JSON.stringify(order)}]`;
  const inside = parts.length === 0 ? '' : `(${parts.map(describeOrder).join(', ')})`;
  const own = `${kind}${options}${inside}`;
  return input === undefined ? own : `${describeOrder(input)} > ${own}`;
}

/** Stages whose places need no more than the rest of a chunk to come again as it was. */
const ONE_BY_ONE: ReadonlySet<string> = new Set([
  'map',
  'filter',
  'take',
  'takeWhile',
  'skip',
  'enumerate',
  'parse',
  'parseSequence',
  'repeat',
  'prefetch',
  'onError',
  'seed',
]);

/** Whether a place in `last` is exact, although elements of a stage in its chain come in any order. */
export function isExact(last: Stage): boolean {
  let above = true;
  for (let stage: Stage | undefined = last; stage !== undefined; stage = stage.input) {
    if (stage.unordered && !above) return false;
    above &&= ONE_BY_ONE.has(stage.kind) && !stage.unordered;
  }
  return true;
}
