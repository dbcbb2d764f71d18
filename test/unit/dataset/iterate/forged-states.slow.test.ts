/**
 * States with right checksums but wrong members are refused with a code, or resumed; they never hang or take more
 * memory.
 */
import { RANDOM_PIPELINES, STATE_MUTANTS, STATE_PROCESSES } from '../../../support/running/attack-counts';
import { CASE_TIMEOUT, endedWell, runCase } from '../../../support/running/run-case';

test.each(Array.from({ length: STATE_PROCESSES }, (_, seed) => seed))(
  'forged states of every stage, %#',
  async (seed) => {
    const args = [seed + 1, RANDOM_PIPELINES, STATE_MUTANTS].map(String);
    const { stderr: _, ...ended } = await runCase('unit/dataset/cases/forged-states', { args, limitMs: 240_000 });
    expect(ended).toEqual({ ...endedWell('done'), stderr: undefined });
  },
  CASE_TIMEOUT * 4,
);

test('mutants of states of every stage are refused with a code, or gone on from', async () => {
  const { stderr: _, ...ended } = await runCase('unit/dataset/cases/forged-states', { args: ['7', '0', '12'] });
  expect({ ...ended, stderr: '' }).toEqual(endedWell('done'));
});
