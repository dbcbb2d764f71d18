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

/** Less than the memory of one of the ten writers. */
const LITTLE = 200_000;

test.each([
  ['readExamples', 'young objects are collected'],
  ['aborted RecordWriter', 'it is closed'],
  ['RecordWriter', 'it is closed'],
  ['writeRecords', 'it is closed'],
])(
  '%s: the memory is free when %s',
  async (what, freed) => {
    const { code, said, stderr } = await runCase('lifecycle/cases/memory/closed-memory', {
      args: [file, folder.path, what],
      flags: ['--expose-gc'],
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const number = expect.any(Number) as number;
    expect(said).toEqual([{ held: number, left: number }, { unhandled: 0 }]);
    const { held, left } = said[0] as { held: number; left: number };
    if (freed === 'it is closed') expect(held).toBeLessThan(LITTLE);
    else expect(held).toBeGreaterThan(0);
    expect(left).toBeLessThan(LITTLE);
  },
  CASE_TIMEOUT,
);
