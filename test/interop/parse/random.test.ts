/**
 * Parses random pairs of records and a spec with this package and with TensorFlow: values equal bit for bit, errors in
 * both, or a known departure, counted by kind. TFRECORD_FULL=1 runs ten times as many. A failure names its seed.
 */
import { PAIRS } from '../choices';
import { parseCase, type ParseCase } from './cases';
import { compared, DEPARTURES, type Kind } from './compare';
import { ours, Peers, type Answer, type Outcome } from './outcomes';

const CASES_A_TEST = 500;
const CASES_A_REQUEST = 100;
const TESTS = Array.from({ length: PAIRS / CASES_A_TEST }, (_, i) => i * CASES_A_TEST);

const peers = new Peers();
afterAll(() => peers.close());

const counts = new Map<Kind, number>();

test.each(TESTS)(`${CASES_A_TEST} random pairs from seed %i on`, async (start) => {
  const unexplained: object[] = [];
  for (let first = start; first < start + CASES_A_TEST; first += CASES_A_REQUEST) {
    const cases = Array.from({ length: CASES_A_REQUEST }, (_, i) => parseCase(first + i));
    const answers = await peers.ask(cases.map(({ request }) => request));
    for (const [i, one] of cases.entries()) {
      const mine = ours(one.request, one.spec);
      const kind = compared(one, mine, answers[i]!);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (kind.startsWith('?')) unexplained.push(told(first + i, kind, one, mine, answers[i]!));
    }
  }
  expect(unexplained).toEqual([]);
});

test('no kind of outcome has died out', () => {
  if (process.env['TFRECORD_TELL'] === '1') console.log(Object.fromEntries([...counts].sort()));
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  expect(total).toBe(PAIRS);
  expect(counts.get('equal')).toBeGreaterThan(0.7 * PAIRS);
  expect(counts.get('error')).toBeGreaterThan(0.05 * PAIRS);
  expect(counts.get('error of the spec')).toBeGreaterThan(0.01 * PAIRS);
  const departed = [...counts.keys()].filter((kind) => !/^(equal|error|error of the spec)$/.test(kind));
  expect(departed.sort()).toEqual([...DEPARTURES].sort());
});

/** Returns the text of a failure, without equal features. */
function told(seed: number, kind: Kind, one: ParseCase, mine: Outcome, { raw, canonical }: Answer): object {
  const { spec, fault, oddity, request } = one;
  const valuesIn = (outcome: Outcome): Readonly<Record<string, unknown>> => ('values' in outcome ? outcome.values : {});
  const [left, right] = [valuesIn(mine), valuesIn(raw)];
  const differing = Object.keys({ ...left, ...right }).filter(
    (name) => JSON.stringify(left[name]) !== JSON.stringify(right[name]),
  );
  const parts = differing.map((name) => ({ name, mine: left[name], theirs: right[name] }));
  const outcomes = [mine, raw, canonical].map((outcome) => (outcome && 'values' in outcome ? 'values' : outcome));
  return { seed, kind, fault, oddity, outcomes, parts, spec: JSON.stringify(spec), request };
}
