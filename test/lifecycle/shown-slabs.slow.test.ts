/** With `transient`, no other thread writes to memory that a reader of records has shown, and none is garbage. */
import { Folder, numberedRecords } from '../support/records/record-files';
import { CASE_TIMEOUT, runCase } from '../support/running/run-case';

const folder = new Folder();
afterAll(() => folder.remove());

test(
  'shown memory is written by the JavaScript thread alone',
  async () => {
    const payloads = numberedRecords(200, 4000);
    const args = [folder.write('records.tfrecord', payloads), folder.write('records.tfrecord.gz', payloads)];
    const { code, said, stderr } = await runCase('lifecycle/cases/memory/shown-slabs', {
      args,
      flags: ['--expose-gc'],
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const looked = { changed: 0, some: true, buffers: 1 };
    const measured = { most: expect.any(Number) as number };
    expect(said).toEqual([looked, looked, { changedAfterClose: 0 }, measured, { unhandled: 0 }]);
    // 100 passes read 80 MB: 3 slabs of a whole file are under way, and one is shown.
    expect((said[3] as typeof measured).most).toBeLessThan(6e6);
  },
  CASE_TIMEOUT,
);
