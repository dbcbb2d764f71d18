import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { counted, grouped } from '../../../lib/base/wording';

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

test('digits are grouped as in English, without data of ICU', () => {
  const format = jest.spyOn(Number.prototype, 'toLocaleString');
  const numbers = [0, 999, 1000, 1_234_567, -999, -1000, -1_234_567, 2 ** 53, 1e20, 12_345.67, -1000.25, 999.96];
  expect(numbers.map(grouped)).toEqual([
    ...['0', '999', '1,000', '1,234,567', '-999', '-1,000', '-1,234,567', '9,007,199,254,740,992'],
    ...['100,000,000,000,000,000,000', '12,345.7', '-1,000.3', '1,000'],
  ]);
  expect([10n ** 21n, -12_345n, 999n].map(grouped)).toEqual(['1,000,000,000,000,000,000,000', '-12,345', '999']);
  expect(format).not.toHaveBeenCalled();
  format.mockRestore();
});
