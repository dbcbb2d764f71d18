/**
 * Writers can end in the middle of a record. The time limit is far more than ending takes (some milliseconds), but less
 * than compressing the record.
 */
import { ended, endedWell, runCase } from '../support/running/run-case';
import { Folder } from '../support/records/record-files';

const LIMIT_MS = 15_000;
jest.setTimeout(10 * LIMIT_MS);

const ways = [
  ['aborted', endedWell([])],
  ['terminated', endedWell(1)],
  ['exit', { ...ended(5), stderr: expect.stringContaining('TFR_WRITER_LEFT') as string }],
] as const;

describe.each(['gzip', 'zlib'])('%s', (compression) => {
  test.each(ways)('%s', async (way, expected) => {
    const folder = new Folder();
    const args = [folder.path, compression, way];
    expect(await runCase('lifecycle/cases/memory/long-record', { args, limitMs: LIMIT_MS })).toEqual(expected);
    folder.remove();
  });
});
