import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { counted } from '../../../lib/base/wording';

test('one is one, and all others are several', () => {
  expect([0, 1, 2, 1n, 10n].map((count) => counted(count, 'byte'))).toEqual([
    '0 bytes',
    '1 byte',
    '2 bytes',
    '1 byte',
    '10 bytes',
  ]);
  expect(counted(1200, 'record', '1,200')).toBe('1,200 records');
  expect(counted(1, 'entry', undefined, 'entries')).toBe('1 entry');
  expect(counted(2, 'entry', undefined, 'entries')).toBe('2 entries');
});

test('no message has a way of counting of its own', () => {
  const LIB = join(__dirname, '../../../lib');
  // The page of the viewer has no module of the library.
  const files = readdirSync(LIB, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(?<!generated\.d)\.ts$/.test(file) && !file.startsWith(join('view', 'page')),
  );
  const own = files.filter((file) => /=== 1n? \? '' : 's'/.test(readFileSync(join(LIB, file), 'utf8')));
  expect(own).toEqual([]);
});
