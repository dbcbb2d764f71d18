/** States with right checksums and wrong members are refused with a code, or resumed; never a hang, or more memory. */
import { CASE_TIMEOUT, endedWell, runCase } from '../../support/run-case';

/** The environment variable `FORGED_STATES` sets the number of random pipelines; each has 150 mutants. */
const PIPELINES = Number(process.env['FORGED_STATES'] ?? 30);
const PER_CASE = 10;

test.each(Array.from({ length: Math.ceil(PIPELINES / PER_CASE) }, (_, seed) => seed))(
  'forged states of every stage, %#',
  async (seed) => {
    const args = [String(seed + 1), String(PER_CASE), '50'];
    const { stderr, ...ended } = await runCase('unit/dataset/cases/forged-states', { args, limitMs: 240_000 });
    if (process.env['FORGED_STATES'] !== undefined) console.log(stderr);
    expect(ended).toEqual({ ...endedWell('done'), stderr: undefined });
  },
  CASE_TIMEOUT * 4,
);
