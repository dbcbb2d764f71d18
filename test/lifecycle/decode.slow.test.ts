/** decodeExample among threads: records that change meanwhile, and environments that end. */
import { CASE_TIMEOUT, endedWell, runCase } from '../support/running/run-case';

jest.setTimeout(CASE_TIMEOUT);

test('a record that another thread writes to gives values or TFR_EXAMPLE', async () => {
  const result = await runCase('lifecycle/cases/threads/decode', { args: ['changing'] });
  expect(result).toEqual(endedWell({ rounds: 5000, someRefused: true, others: [] }));
});

test('workers that are terminated while they decode', async () => {
  const result = await runCase('lifecycle/cases/threads/decode', { args: ['terminated'] });
  expect(result).toEqual(endedWell({ codes: [1], values: 100_000 }));
});
