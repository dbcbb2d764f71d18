/** As changing-memory.test.ts, for every function that takes bytes, one second each. */
import { CASE_TIMEOUT, runCase } from '../support/running/run-case';

jest.setTimeout(2 * CASE_TIMEOUT);

test('every function that takes bytes', async () => {
  const { said, ...end } = await runCase('lifecycle/cases/memory/changing-memory', {
    args: ['1000'],
    limitMs: 120_000,
  });
  const wrong = said.filter((call) => ((call as { others?: string[] }).others?.length ?? 0) > 0);
  // If there was a crash, it came after the last of `said`.
  expect({ ...end, wrong, last: said.at(-1) }).toEqual({
    code: 0,
    signal: null,
    stderr: '',
    timedOut: false,
    wrong: [],
    last: { unhandled: 0 },
  });
});
