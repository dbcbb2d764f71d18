/** With `transient`, no memory waits for the garbage collector. */
import { LONG_ROWS, writeLongRows } from '../support/examples/example-files';
import { Folder } from '../support/records/record-files';
import { CASE_TIMEOUT, runCase } from '../support/running/run-case';

const folder = new Folder();
afterAll(() => folder.remove());
const file = writeLongRows(folder);

// 20 passes allocate 60 MB without `transient`, of which V8 delays collecting 32.
test.each([
  ['batches', (20 * LONG_ROWS) / 64],
  ['batches of one', 20 * LONG_ROWS],
  ['rows', 20 * LONG_ROWS],
  ['a stream', (20 * LONG_ROWS) / 64],
])(
  '%s',
  async (what, steps) => {
    const { code, said, stderr } = await runCase('lifecycle/cases/memory/transient-memory', {
      args: [file, what],
      flags: ['--expose-gc'],
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(said).toEqual([{ steps, most: expect.any(Number) as number }, { unhandled: 0 }]);
    expect((said[0] as { most: number }).most).toBeLessThan(6e6);
  },
  CASE_TIMEOUT,
);
