import type { Json } from '../engine/operator';
import type { Stage } from '../engine/stage';
import { seedText } from '../random';

/**
 * The stages from the source on, with the options that the order of elements depends on, as short text:
 * `range[0,1,10] > shuffle[3,null] > batch[2,false]`. What a state, which has its seed, belongs to. It is stored in states
 * and compared with them.
 */
export function describeOrder(stage: Stage): string {
  const { input, kind, order, parts, traits } = stage;
  if (input !== undefined && traits.outsideState === true) return describeOrder(input);
  const options = order === null ? '' : Array.isArray(order) ? JSON.stringify(order) : `[${JSON.stringify(order)}]`;
  const inside = parts.length === 0 ? '' : `(${parts.map(describeOrder).join(', ')})`;
  const own = `${kind}${options}${inside}`;
  return input === undefined ? own : `${describeOrder(input)} > ${own}`;
}

/** Whether a place in `last` is exact, although elements of a stage in its chain come in any order. */
export function isExact(last: Stage): boolean {
  let above = true;
  for (let stage: Stage | undefined = last; stage !== undefined; stage = stage.input) {
    const { unordered = false, oneByOne = false } = stage.traits;
    if (unordered && !above) return false;
    above &&= oneByOne && !unordered;
  }
  return true;
}

/** An option of a stage as text; undefined where there is nothing to say of it. */
type Told = (value: Json) => string | undefined;

const text = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
/** The value alone: what the method takes first. */
const plain: Told = text;
const named =
  (name: string): Told =>
  (value) =>
    value === null ? undefined : `${name} ${text(value)}`;
/** Said where it is true, which is no default. */
const flag =
  (name: string): Told =>
  (value) =>
    value === true ? name : undefined;
const seed: Told = (words) => {
  const [low, high] = words === null ? [] : (words as readonly number[]);
  return low === undefined || high === undefined ? undefined : `seed ${seedText({ low, high })}`;
};
const reshuffle: Told = (value) => (value === true ? undefined : 'reshuffle false');
const times: Told = (count) => (count === -1 ? undefined : text(count));
const columns: Told = (fields) =>
  `columns ${(fields as readonly (readonly string[])[]).map(([name, dtype]) => `${name}: ${dtype}`).join(' ')}`;
const delimiter: Told = (byte) => `delimiter ${JSON.stringify(String.fromCharCode(Number(byte)))}`;
const quoted =
  (name: string): Told =>
  (value) =>
    `${name} ${JSON.stringify(value)}`;

/** The parts of `Stage.order`, by the stage's kind, and how to print each. */
const OPTIONS: Readonly<Record<string, readonly Told[]>> = {
  range: [named('start'), named('step'), named('count')],
  text: [named('skipHeaderLines')],
  fixedLength: [plain, named('headerBytes'), named('footerBytes'), named('hopBytes')],
  csv: [columns, flag('header'), delimiter, flag('quotes'), quoted('naValue')],
  map: [plain],
  mapWorker: [plain],
  take: [plain],
  skip: [plain],
  enumerate: [named('start')],
  repeat: [times],
  shuffle: [plain, seed, reshuffle, named('bytes')],
  batch: [plain, flag('dropRemainder')],
  paddedBatch: [plain, flag('dropRemainder')],
  rebatch: [plain, flag('dropRemainder')],
  window: [plain, named('shift'), named('stride'), flag('dropRemainder')],
  bucketByLength: [named('boundaries'), named('batchSizes'), flag('dropRemainder')],
  interleave: [
    named('cycleLength'),
    (blockLength) => (typeof blockLength === 'string' ? blockLength : `blockLength ${text(blockLength)}`),
  ],
  shard: [named('count'), named('index'), named('by'), named('uneven')],
  zip: [named('length'), named('names')],
  sampleFrom: [named('weights'), seed, named('exhausted'), flag('exact')],
  chooseFrom: [named('exhausted')],
  rejectionResample: [named('target'), named('initial'), seed],
};

/** The stages from the source on, each with its options by name: `shuffle(10000, seed 42)`. For people. */
export function explainStages(last: Stage): string[] {
  const stages: string[] = [];
  for (let stage: Stage | undefined = last; stage !== undefined; stage = stage.input) stages.unshift(explain(stage));
  return stages;
}

function explain(stage: Stage): string {
  const { kind, order, parts, chosen } = stage;
  const values = order === null ? [] : Array.isArray(order) ? (order as readonly Json[]) : [order];
  const told = values.map((value, i) => (OPTIONS[kind]?.[i] ?? text)(value));
  const options = [...told, chosen].filter((option) => option !== undefined).join(', ');
  const inside = parts.map((part) => explainStages(part).join(' > ')).join(', ');
  return kind + (options === '' ? '' : `(${options})`) + (inside === '' ? '' : ` { ${inside} }`);
}
