/**
 * Writers end in the middle of a record, not behind it. The limit is far from what that takes (some milliseconds), and
 * less than what compressing the record does.
 */
import { ended, endedWell, runCase } from '../support/run-case';
import { Folder } from '../support/record-files';

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
    expect(await runCase('lifecycle/cases/long-record', { args, limitMs: LIMIT_MS })).toEqual(expected);
    folder.remove();
  });
});
