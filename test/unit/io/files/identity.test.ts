/** One look at a file gives all that tells it from another one. */
import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';

import { Identity } from '../../../../lib/io';
import { HandleSource } from '../../../../lib/io/source/handle-source';
import { Folder, numberedRecords } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

test.each([1_700_000_000.123456, 0.5, -1.25, -86_400, 4_000_000_000.999])(
  'times are those of fs.Stats, to the last bit: %d',
  async (seconds) => {
    const path = folder.write('times', numberedRecords(3, 20));
    utimesSync(path, seconds, seconds);
    const { size, mtimeMs } = statSync(path);
    const identity = await Identity.of('times', path);
    expect(identity).toMatchObject({ kind: 'file', size, mtimeMs });
    expect(Object.is(identity.mtimeMs, mtimeMs)).toBe(true);
  },
);

test('a file that was changed or replaced is another one, also behind a handle', async () => {
  const path = folder.write('changed', numberedRecords(3, 20));
  await using handle = await open(path);
  const identities = [await Identity.ofRegular('changed', path), await new HandleSource(handle).identity()];
  for (const identity of identities) await identity!.check();
  writeFileSync(path, 'other');
  for (const identity of identities) {
    await expect(identity!.check()).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      found: expect.stringMatching(/^5 bytes/),
    });
  }
});

test('a folder and a missing file are refused', async () => {
  expect((await Identity.of('folder', folder.path)).kind).toBe('folder');
  await expect(Identity.ofRegular('folder', folder.path)).rejects.toMatchObject({ code: 'EISDIR', file: 'folder' });
  await expect(Identity.of('missing', `${folder.path}/missing`)).rejects.toMatchObject({
    code: 'ENOENT',
    file: 'missing',
  });
});
