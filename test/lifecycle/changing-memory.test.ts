/** Another thread changes shared memory while the package reads it: values or our errors, never a crash. */
import { CASE_TIMEOUT, endedWell, runCase } from '../support/running/run-case';

jest.setTimeout(CASE_TIMEOUT);

// Functions that may find more numbers when they read than when they counted.
const NAMES = [
  'parseExample of a batch of numbers',
  'parseSequenceExample of a batch of numbers',
  'parseExample of one of numbers',
  'parseSingleExample of numbers',
  'Dataset.parse of a batch of numbers',
  'decodeExample of numbers',
];

test('the functions that parse', async () => {
  const result = await runCase('lifecycle/cases/memory/changing-memory', { args: ['150', ...NAMES] });
  expect(result).toEqual(endedWell(...NAMES.map((name) => ({ name, calls: true, others: [] }))));
});
