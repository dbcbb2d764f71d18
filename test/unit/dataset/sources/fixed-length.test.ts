/** `Dataset.fixedLength`: records of fixed length. */
import { gzipSync } from 'node:zlib';

import { bytes, Dataset, encodeExample, fixedLen, RecordBatch } from '../../../../lib';
import type { FixedLengthOptions } from '../../../../lib/dataset';
import { Folder } from '../../../support/records/record-files';
import { thrown } from '../../../support/thrown';

const folder = new Folder();
afterAll(() => folder.remove());

const texts = async (dataset: Dataset<Uint8Array, unknown>): Promise<string[]> =>
  dataset.map((record) => Buffer.from(record).toString('latin1')).toArray();

describe('where records lie', () => {
  test.each([
    ['', 3, {}, []],
    ['abcdef', 3, {}, ['abc', 'def']],
    ['HHabcdefF', 3, { headerBytes: 2, footerBytes: 1 }, ['abc', 'def']],
    ['HHF', 3, { headerBytes: 2, footerBytes: 1 }, []],
    ['abcde', 3, { hopBytes: 1 }, ['abc', 'bcd', 'cde']],
    ['Habcdef', 4, { hopBytes: 2, headerBytes: 1 }, ['abcd', 'cdef']],
    ['ab--cd', 2, { hopBytes: 4 }, ['ab', 'cd']],
    ['ab--cd-', 2, { hopBytes: 4 }, ['ab', 'cd']],
    ['ab--cd--', 2, { hopBytes: 4 }, ['ab', 'cd']],
  ])('%j by %d, %j', async (content, length, options, records) => {
    const file = folder.put('some.bin', content);
    expect(await texts(Dataset.fixedLength(file, length, options))).toEqual(records);
    const pieces = Array.from(content, (letter) => Buffer.from(letter));
    expect(await texts(Dataset.fixedLength(pieces, length, options))).toEqual(records);
    if (content === '') return;
    expect(await texts(Dataset.fixedLength(folder.put('some.gz', gzipSync(content)), length, options))).toEqual(
      records,
    );
  });
});

test.each([
  ['abcd', 3, {}, 'record', 1, 3, '1 byte'],
  ['ab', 3, {}, 'record', 0, 0, '2 bytes'],
  ['HabcdeF', 3, { headerBytes: 1, footerBytes: 1 }, 'record', 1, 4, '2 bytes'],
  ['HH', 3, { headerBytes: 4 }, 'header', 0, 0, '2 bytes'],
  ['HHF', 3, { headerBytes: 2, footerBytes: 2 }, 'header and footer', 0, 0, '3 bytes'],
  ['F', 3, { footerBytes: 2 }, 'footer', 0, 0, '1 byte'],
  ['abcdef', 3, { hopBytes: 2 }, 'record', 2, 4, '2 bytes'],
  ['ab--c', 2, { hopBytes: 4 }, 'record', 1, 4, '1 byte'],
])(
  'a rest that is no record: %j by %d, %j',
  async (content, length, options: FixedLengthOptions, what, record, offset, found) => {
    const file = folder.put('rest.bin', content);
    const dataset = Dataset.fixedLength(file, length, options);
    const records: unknown[] = [];
    await expect(dataset.forEachAsync((value) => records.push(value))).rejects.toMatchObject({
      code: 'TFR_TRUNCATED',
      file,
      record,
      offset,
      found,
      message: expect.stringContaining(`Truncated ${what} in ${file}`),
    });
    expect(records).toHaveLength(record);
    const next = folder.put(
      'next.bin',
      `${'H'.repeat(options.headerBytes ?? 0)}${'z'.repeat(length)}${'F'.repeat(options.footerBytes ?? 0)}`,
    );
    const skipping = Dataset.fixedLength([file, next], length, options).onError({ action: 'skip', maxRate: 1 });
    expect((await texts(skipping)).slice(record)).toEqual(['z'.repeat(length)]);
    expect(await Dataset.fixedLength([file, next], length, options).onError('stop').count()).toBe(record);
  },
);

test('CIFAR-10: a label and an image, without a copy of either', async () => {
  const size = 3073;
  const content = Buffer.alloc(1000 * size);
  for (let i = 0; i < 1000; i++) content.fill(i & 0xff, i * size).writeUInt8(i % 10, i * size);
  const records = await Dataset.fixedLength(folder.put('data_batch_1.bin', content), size).toArray();
  expect(records).toHaveLength(1000);
  records.forEach((record, i) => {
    expect(record).toHaveLength(size);
    expect(record[0]).toBe(i % 10);
    expect(record[3072]).toBe(i & 0xff);
  });
  expect(new Set(records.map(({ buffer }) => buffer)).size).toBeLessThan(30);
});

test('long records that overlap share their memory', async () => {
  const content = Buffer.from(Array.from({ length: 1_000_000 }, (_, i) => i % 251));
  const records = await Dataset.fixedLength(folder.put('overlap.bin', content), 500_000, { hopBytes: 5000 }).toArray();
  expect(records).toHaveLength(101);
  records.forEach((record, i) => expect(record[499_999]).toBe((5000 * i + 499_999) % 251));
  expect(new Set(records.map(({ buffer }) => buffer)).size).toBeLessThan(5);
});

test('origins, batches and parsing are those of records', async () => {
  const examples = Array.from({ length: 20 }, (_, i) => encodeExample({ name: bytes(`name ${10 + i}`) }));
  const length = examples[0]!.length;
  const file = folder.put('examples.bin', Buffer.concat([Buffer.from('HEAD'), ...examples]));
  const dataset = Dataset.fixedLength(file, length, { headerBytes: 4 });
  const elements = dataset.skip(2).iterate();
  await elements.next();
  expect(elements.origin).toEqual({ file, record: 2, offset: 4 + 2 * length, bytes: length });
  await elements.return();
  const [batch] = await dataset.batch(15).toArray();
  expect(batch).toBeInstanceOf(RecordBatch);
  expect(batch?.origin(3)).toEqual({ file, record: 3, offset: 4 + 3 * length, bytes: length });
  const [columns] = await dataset
    .parse({ name: fixedLen([], 'bytes') })
    .batch(20)
    .toArray();
  expect(columns?.name.text(19)).toBe('name 29');
});

test('wrong arguments', () => {
  const fixedLength = Dataset.fixedLength as (...args: unknown[]) => unknown;
  const codeOf = (...args: unknown[]): unknown => (thrown(() => fixedLength(...args)) as { code?: string }).code;
  expect(codeOf('a')).toBe('ERR_INVALID_ARG_TYPE');
  expect(codeOf('a', 0)).toBe('ERR_OUT_OF_RANGE');
  expect(codeOf('a', 1.5)).toBe('ERR_OUT_OF_RANGE');
  expect(codeOf('a', 3, { hopBytes: 0 })).toBe('ERR_OUT_OF_RANGE');
  expect(codeOf('a', 3, { headerBytes: '1' })).toBe('ERR_INVALID_ARG_TYPE');
  expect(codeOf('a', 3, 4)).toBe('ERR_INVALID_ARG_TYPE');
  expect(codeOf('a', 3, { footer: 4 })).toBe('ERR_INVALID_ARG_VALUE');
});
