/**
 * Mutants of files in every layout, read in every way: no crash, no hang, no error without a code, no wrong record. (The
 * same law for states and manifests: forged-states and forged-manifests; for honest states: resume.)
 */
import { FILE_MUTANTS, FILE_MUTANTS_EACH } from '../support/running/attack-counts';
import { endedWell, runCase } from '../support/running/run-case';

const LIMIT_MS = 600_000;
jest.setTimeout(LIMIT_MS + 20_000);

test.each(Array.from({ length: FILE_MUTANTS / FILE_MUTANTS_EACH }, (_, seed) => seed))(
  'mutants of files, %#',
  async (seed) => {
    const args = [String(seed), String(FILE_MUTANTS_EACH)];
    const ended = await runCase('stress/cases/damaged-files', { args, limitMs: LIMIT_MS });
    expect(ended).toEqual(endedWell({ mutants: FILE_MUTANTS_EACH, ends: expect.any(Object) }));
  },
);
