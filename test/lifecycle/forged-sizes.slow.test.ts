/** A few bytes of a record, of JSON or of an argument must not block or end the process. */
import { CASE_TIMEOUT, runCase } from '../support/running/run-case';

jest.setTimeout(CASE_TIMEOUT);

test('specs, rows and records that tell huge sizes are refused at once, with a code', async () => {
  const { said, code, timedOut } = await runCase('lifecycle/cases/memory/forged-sizes');
  expect({ code, timedOut }).toEqual({ code: 0, timedOut: false });
  const outcomes = said.slice(0, -1) as readonly [name: string, code: string, time: string][];
  expect(outcomes).toHaveLength(28);
  for (const outcome of outcomes) {
    expect(outcome).toEqual([
      outcome[0],
      expect.stringMatching(/^(TFR_FEATURE|TFR_SPEC|ERR_INVALID_ARG_\w+)$/),
      'at once',
    ]);
  }
});
