/** Closing readers and writers frees their memory without a full collection. */
import { int64, encodeExample } from '../../lib';
import { Folder } from '../support/records/record-files';
import { CASE_TIMEOUT, runCase } from '../support/running/run-case';

const folder = new Folder();
afterAll(() => folder.remove());
const file = folder.write(
  'in.tfrecord',
  Array.from({ length: 20_000 }, (_, i) => encodeExample({ id: int64(i) })),
);

test.each(['readExamples', 'RecordWriter', 'aborted RecordWriter', 'writeRecords'])(
  '%s',
  async (what) => {
    const { code, said, stderr } = await runCase('lifecycle/cases/memory/closed-memory', {
      args: [file, folder.path, what],
      flags: ['--expose-gc'],
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(said).toEqual([{ held: true, left: expect.any(Number) as number }, { unhandled: 0 }]);
    expect((said[0] as { left: number }).left).toBeLessThan(200_000);
  },
  CASE_TIMEOUT,
);
