/** The event loop turns while records are always ready. */
import { CASE_TIMEOUT, endedWell, runCase } from '../support/running/run-case';
import { Folder, numberedRecords } from '../support/records/record-files';

jest.setTimeout(CASE_TIMEOUT);

const folder = new Folder();
const file = folder.write('plain.tfrecord', numberedRecords(20_000, 100));
afterAll(() => folder.remove());

test.each(['records', 'batches', 'chunks'])('beside four busy readers of %s', async (lane) => {
  const result = await runCase('lifecycle/cases/threads/event-loop', { args: [file, lane] });
  expect(result).toEqual(endedWell([true, true, true, true]));
});

test.each(['one large slab', 'empty chunks'])('while JavaScript goes through %s', async (lane) => {
  // Takes seconds if the loop never turns.
  const many = folder.write('many.tfrecord', Array<Buffer>(1_500_000).fill(Buffer.alloc(0)));
  const result = await runCase('lifecycle/cases/threads/event-loop', { args: [many, lane] });
  expect(result).toEqual(endedWell([true]));
});

test.each([
  'await write',
  'await write of long records',
  'ten writers',
  'writeRecords',
  'writeRecords of an async iterable',
  'writeTo',
  'writeTo many',
  'flush and flush',
  'open and close',
  'await write, slowly',
])('a timer ends writing that would never end: %s', async (way) => {
  const target = new Folder();
  try {
    const result = await runCase('lifecycle/cases/threads/writing-turns', {
      args: [target.path, way],
      limitMs: 20_000,
    });
    expect(result).toEqual(endedWell('TimeoutError'));
  } finally {
    target.remove();
  }
});
