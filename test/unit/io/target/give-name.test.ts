import { readFileSync, writeFileSync } from 'node:fs';
import * as promises from 'node:fs/promises';

import { giveName } from '../../../../lib/io';
import { Folder } from '../../../support/records/record-files';

jest.mock('node:fs/promises', () => ({
  ...jest.requireActual<typeof promises>('node:fs/promises'),
  rename: jest.fn(),
}));
const { rename } = jest.requireActual<typeof promises>('node:fs/promises');
const renames = promises.rename as jest.MockedFunction<typeof rename>;

const folder = new Folder();
const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
afterEach(() => {
  Object.defineProperty(process, 'platform', platform);
});
afterAll(() => {
  folder.remove();
});

function on(system: string): void {
  Object.defineProperty(process, 'platform', { ...platform, value: system });
}

/** The next `times` renames fail, as they do while another program holds the file. */
function held(times: number): void {
  renames.mockReset();
  renames.mockImplementation(rename);
  for (let i = 0; i < times; i++) {
    renames.mockRejectedValueOnce(
      Object.assign(new Error('EPERM: operation not permitted, rename'), { code: 'EPERM' }),
    );
  }
}

test('on Windows, a file that is held for a moment gets its name', async () => {
  on('win32');
  held(3);
  const [from, to] = [folder.at('a.tmp'), folder.at('a')];
  writeFileSync(from, 'text');
  await giveName(from, to);
  expect(readFileSync(to, 'utf8')).toBe('text');
  expect(renames).toHaveBeenCalledTimes(4);
});

test('on other systems, the first failure is the error', async () => {
  on('linux');
  held(1);
  await expect(giveName(folder.at('b.tmp'), folder.at('b'))).rejects.toThrow('EPERM');
  expect(renames).toHaveBeenCalledTimes(1);
});

test('a file that is not there is no reason to wait', async () => {
  on('win32');
  held(0);
  await expect(giveName(folder.at('none.tmp'), folder.at('c'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(renames).toHaveBeenCalledTimes(1);
});
