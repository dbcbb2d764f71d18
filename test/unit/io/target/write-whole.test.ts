import { readFileSync, writeFileSync } from 'node:fs';

import { isTemporary, temporaryName, writeWhole } from '../../../../lib/io';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

test('a file gets its name when it is complete, in the place of an older one', async () => {
  const path = folder.at('whole.json');
  writeFileSync(path, 'old');
  const seen: string[] = [];
  const publish = (temporary: string): Promise<void> => {
    seen.push(readFileSync(temporary, 'utf8'), readFileSync(path, 'utf8'));
    throw new Error('not yet');
  };

  await expect(writeWhole(path, 'new', { publish })).rejects.toThrow('not yet');
  expect(seen).toEqual(['new', 'old']);
  expect(folder.names()).toEqual(['whole.json']);
  expect(readFileSync(path, 'utf8')).toBe('old');

  await writeWhole(path, Buffer.from('new'));
  expect(folder.names()).toEqual(['whole.json']);
  expect(readFileSync(path, 'utf8')).toBe('new');
});

test('a temporary name is forgotten once nothing has it', async () => {
  const temporary = temporaryName(folder.at('x'));
  const name = temporary.slice(folder.at('').length).replace(/^\//, '');
  expect(isTemporary(name)).toBe(true);
  await expect(writeWhole(folder.at('none/y'), 'z', { temporary: `${temporary}/no` })).rejects.toMatchObject({
    code: 'ENOENT',
  });
  await writeWhole(folder.at('y'), 'z', { temporary });
  expect(isTemporary(name)).toBe(false);
});
