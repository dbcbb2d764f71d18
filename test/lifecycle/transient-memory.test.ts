/** With `transient` nothing waits for the garbage collector. */
import { Folder } from '../support/record-files';
import { CASE_TIMEOUT, runCase } from '../support/run-case';
import { exampleOf, int64s, strings } from '../support/wire';

const ROWS = 2000;
const folder = new Folder();
afterAll(() => folder.remove());
const file = folder.write(
  'rows.tfrecord',
  Array.from({ length: ROWS }, (_, i) =>
    exampleOf({ id: int64s(i), text: strings('t'.repeat(1000)), numbers: int64s(...Array<number>(i % 100).fill(i)) }),
  ),
);

// 20 passes take 60 MB, of which the collector lets 32 lie.
test.each([
  ['batches', (20 * ROWS) / 64],
  ['batches of one', 20 * ROWS],
  ['rows', 20 * ROWS],
  ['a stream', (20 * ROWS) / 64],
])(
  '%s',
  async (what, steps) => {
    const { code, said, stderr } = await runCase('lifecycle/cases/transient-memory', {
      args: [file, what],
      flags: ['--expose-gc'],
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(said).toEqual([{ steps, most: expect.any(Number) as number }, { unhandled: 0 }]);
    expect((said[0] as { most: number }).most).toBeLessThan(6e6);
  },
  CASE_TIMEOUT,
);
