/** Folders that cannot be made: the system's reason, where Node gives another. */
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';

import { makeFolder } from '../../../../lib/io/target/make-folder';
import { Folder } from '../../../support/records/record-files';

jest.mock('node:fs/promises', () => ({ ...jest.requireActual<typeof promises>('node:fs/promises') }));
const fs = jest.requireMock<typeof promises>('node:fs/promises');

const folder = new Folder();
afterAll(() => {
  folder.remove();
});
afterEach(() => {
  jest.restoreAllMocks();
});

test('makes the folders that are missing, and says which is the outermost', async () => {
  expect(await makeFolder(folder.at('a/b/c'))).toBe(folder.at('a'));
  expect(await makeFolder(folder.at('a/b'))).toBeUndefined();
});

test('a file system that is read only is no ENOENT', async () => {
  jest.spyOn(fs, 'mkdir').mockImplementation((path, options) => {
    const recursive = (options as { recursive?: boolean } | undefined)?.recursive === true;
    const [code, errno] = recursive ? ['ENOENT', -2] : ['EROFS', -30];
    return Promise.reject(Object.assign(new Error(code), { code, errno, syscall: 'mkdir', path }));
  });
  const path = folder.at(join('new', 'deep'));
  await expect(makeFolder(path)).rejects.toMatchObject({ code: 'EROFS', file: path, syscall: 'mkdir' });
});
