/** Damaged indexes of other programs: an import gives the records of the file, or an error with a code. */
import { expectSafe, IMPORT_FORMS, mutants } from '../../../support/records/imported-mutants';

it.each(IMPORT_FORMS)(
  'thousands of mutants of an index of %s',
  async (form) => {
    let refused = 0;
    for await (const mutant of mutants(form, 3000, 1)) refused += await expectSafe(mutant);
    expect(refused).toBeGreaterThan(0);
  },
  600_000,
);
