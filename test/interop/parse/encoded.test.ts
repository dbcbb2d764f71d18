/**
 * Encodes random features with encodeExample, encodeSequenceExample and encodeExamples. TensorFlow must parse the
 * records to the same values, bit for bit, as records made by hand. TFRECORD_FULL=1 runs ten times as many pairs of
 * rows and spec. A failure names its seed.
 */
import { hex, PAIRS } from '../choices';
import { encodeCase, type EncodeCase } from './encoded-cases';
import { same } from './compare';
import { partitionsOf } from './model';
import { Peers } from './outcomes';

const PAIRS_A_TEST = 500;
const PAIRS_A_REQUEST = 50;
const SEEDS_A_TEST = 1_000_000;
const TESTS = Array.from({ length: PAIRS / PAIRS_A_TEST }, (_, i) => i * SEEDS_A_TEST);

const peers = new Peers();
afterAll(() => peers.close());

const counts = new Map<string, number>();
const count = (what: string): unknown => counts.set(what, (counts.get(what) ?? 0) + 1);

test.each(TESTS)(`${PAIRS_A_TEST} pairs from seed %i on`, async (start) => {
  const cases: [seed: number, one: EncodeCase][] = [];
  for (let seed = start; cases.length < PAIRS_A_TEST; seed++) {
    const one = encodeCase(seed);
    if (one !== undefined) cases.push([seed, one]);
  }
  const differing: object[] = [];
  for (let first = 0; first < PAIRS_A_TEST; first += PAIRS_A_REQUEST) {
    const some = cases.slice(first, first + PAIRS_A_REQUEST);
    const requests = some.flatMap(([, { request, encoded }]) => [
      request,
      ...Object.values(encoded).map(asked(request)),
    ]);
    const answers = (await peers.ask(requests)).map(({ raw }) => raw);
    for (const [seed, one] of some) {
      const byHand = answers.shift()!;
      for (const writer of Object.keys(one.encoded)) {
        const answer = answers.shift()!;
        if ('surprise' in answer || !same(answer, byHand, one.spec)) differing.push({ seed, writer, byHand, answer });
        count('values' in answer ? writer : 'error in both');
      }
      tell(one);
    }
  }
  expect(differing).toEqual([]);
});

test('every kind of feature took part', () => {
  if (process.env['TFRECORD_TELL'] === '1') console.log(Object.fromEntries([...counts].sort()));
  const least = {
    ...{
      encodeExample: 0.6,
      encodeExamples: 0.5,
      encodeSequenceExample: 0.1,
      'no rows': 0.02,
      'hundreds of rows': 0.02,
    },
    ...{
      fixedLen: 0.2,
      varLen: 0.2,
      fixedLenSequence: 0.1,
      'sparse of 1': 0.05,
      'sparse of 2': 0.05,
      'sparse of 3': 0.05,
    },
    ...{ 'ragged of 0': 0.05, 'ragged of 1': 0.05, 'ragged of 2': 0.05, 'ragged of 3': 0.02 },
    ...{
      rowSplits: 0.02,
      rowLengths: 0.02,
      rowStarts: 0.02,
      rowLimits: 0.02,
      valueRowIds: 0.02,
      uniformRowLength: 0.02,
    },
  };
  const few = Object.entries(least).filter(([what, share]) => (counts.get(what) ?? 0) < share * PAIRS);
  expect(few).toEqual([]);
  // TensorFlow refuses an empty batch of SequenceExamples with a context.
  expect(counts.get('error in both') ?? 0).toBeLessThan(0.02 * PAIRS);
  expect(counts.get('features that disagree') ?? 0).toBeLessThan(0.05 * PAIRS);
});

const asked = (request: EncodeCase['request']) => (records: readonly Uint8Array[]) => ({
  ...request,
  records: records.map(hex),
});

function tell({ spec, request: { records }, disagree }: EncodeCase): void {
  if (disagree) count('features that disagree');
  if (records.length === 0) count('no rows');
  if (records.length >= 100) count('hundreds of rows');
  for (const feature of Object.values(spec.context)) {
    const { type } = feature;
    if (type === 'sparse') count(`sparse of ${[feature['indexKey']].flat().length}`);
    else if (type !== 'ragged') count(type);
    else {
      const partitions = partitionsOf(feature);
      count(`ragged of ${partitions.length}`);
      for (const { by } of partitions) count(by);
    }
  }
}
