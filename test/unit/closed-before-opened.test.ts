/** What is closed while its next file is looked at does not begin to read that. */
import promises from 'node:fs/promises';

import { FileRecordStream } from '../../lib/record/file-stream';
import { classifySource, recordFlow, resolveReadOptions } from '../../lib/record';
import { Folder, numberedRecords } from '../support/record-files';

const folder = new Folder();
afterAll(() => folder.remove());
afterEach(() => jest.restoreAllMocks());

/** Some turns of the event loop: more than anything takes that nobody holds up. */
async function turns(): Promise<void> {
  for (let i = 0; i < 50; i++) await new Promise(setImmediate);
}

test('a list is closed between two files', async () => {
  const [first, second] = ['a', 'b'].map((name) => folder.write(name, numberedRecords(10, 20))) as [string, string];
  const look = promises.stat;
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const stat = jest.spyOn(promises, 'stat').mockImplementation((async (path: string) => {
    if (path === second) await held;
    return look(path);
  }) as never);
  const prime = jest.spyOn(FileRecordStream.prototype, 'prime');
  const flow = recordFlow(classifySource([first, second]), resolveReadOptions({}));
  await expect(flow.next()).resolves.toHaveLength(10);
  const next = flow.next();
  await turns();
  expect(stat).toHaveBeenCalledWith(second);
  const primed = prime.mock.calls.length;
  await flow.close();
  letGo();
  await expect(next).resolves.toBeUndefined();
  await turns();
  expect(prime.mock.calls.length).toBe(primed);
});
