/** A reader that is closed while its next file is being looked up does not open that file. */
import promises from 'node:fs/promises';
import { constants } from 'node:os';

import { classifySource } from '../../../../lib/io';
import { recordSequence, resolveReadOptions } from '../../../../lib/record';
import { FileStream } from '../../../../lib/record/read/file-stream';
import { Folder, numberedRecords } from '../../../support/records/record-files';

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
  const stat = jest.spyOn(promises, 'stat').mockImplementation((async (path: string, options: object) => {
    if (path === second) await held;
    return look(path, options);
  }) as never);
  const prime = jest.spyOn(FileStream.prototype, 'prime');
  const flow = recordSequence(classifySource([first, second]), resolveReadOptions({}));
  await expect(flow.next()).resolves.toHaveLength(10);
  const next = flow.next();
  await turns();
  expect(stat).toHaveBeenCalledWith(second, expect.anything());
  const primed = prime.mock.calls.length;
  await flow.close();
  letGo();
  await expect(next).resolves.toBeUndefined();
  await turns();
  expect(prime.mock.calls.length).toBe(primed);
});

test('a reading that is closed while it gives up a file without a descriptor does not wait to try again', async () => {
  const halt = { code: 'SYSTEM', part: 'open', detail: '', systemError: constants.errno.EMFILE };
  jest.spyOn(FileStream.prototype, 'next').mockResolvedValue({ result: { halt } });
  const again = jest.fn(() => new Promise<boolean>(() => undefined));
  const path = folder.write('c', numberedRecords(10, 20));
  const flow = recordSequence(classifySource(path), { ...resolveReadOptions({}), again });
  const close = jest.spyOn(FileStream.prototype, 'close').mockImplementation(() => {
    if (close.mock.calls.length === 1) void flow.close();
    return Promise.resolve();
  });
  await expect(flow.next()).resolves.toBeUndefined();
  expect(again).not.toHaveBeenCalled();
});
