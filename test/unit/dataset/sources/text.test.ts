/** `Dataset.text`: lines of files. */
import { createReadStream } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { deflateSync, gzipSync } from 'node:zlib';

import { Dataset, type TFRecordError } from '../../../../lib';
import { Budget } from '../../../../lib/dataset/engine/scope';
import { expectResumes } from '../../../support/datasets/dataset-laws';
import { descriptorsIn } from '../../../support/running/descriptors';
import { onLinux } from '../../../support/on-linux';
import { randoms } from '../../../support/randoms';
import { Folder } from '../../../support/records/record-files';
import { numberedLines } from '../../../support/records/texts';
import { thrown } from '../../../support/thrown';

const folder = new Folder();
afterAll(() => folder.remove());

test.each([
  ['', []],
  ['\n', ['']],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\nb', ['a', 'b']],
  ['a\r\nb\r\n', ['a', 'b']],
  ['a\r\n\r\n\nb', ['a', '', '', 'b']],
  ['\r\n', ['']],
  ['a\rb\n', ['a\rb']],
  ['a\r', ['a\r']],
  ['ä\u2028ö\n', ['ä\u2028ö']],
  ['\ufeffa\n\ufeffb', ['a', '\ufeffb']],
  ['\ufeff', []],
])('%j', async (content, lines) => {
  const bytes = Buffer.from(content);
  expect(await Dataset.text(folder.put('lines.txt', content)).toArray()).toEqual(lines);
  // Whatever the pieces that they come in.
  for (const size of [1, 2, 3]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    expect(await Dataset.text(pieces).toArray()).toEqual(lines);
  }
  if (bytes.length > 0) expect(await Dataset.text(folder.put('lines.gz', gzipSync(bytes))).toArray()).toEqual(lines);
});

test('lines are the same in whatever order and number they are read', async () => {
  const random = randoms(7);
  const line = (i: number): string =>
    `${i} ${(i % 37 === 0 ? 'größe 😀 ' : 'size ').repeat(Math.floor(random() * 20))}${i % 5 === 0 ? '\r' : ''}${i % 7 === 0 ? '\r' : ''}`;
  const content = Array.from({ length: 3000 }, (_, i) => line(i));
  const file = folder.put('runs.txt', content.join('\n'));
  const lines = content.map((text, i) => (i < content.length - 1 ? text.replace(/\r$/, '') : text));
  expect(await Dataset.text(file).toArray()).toEqual(lines);
  expect((await Dataset.text(file).batch(700).toArray()).flat()).toEqual(lines);
  expect(await Dataset.text(file).skip(1234).take(1000).toArray()).toEqual(lines.slice(1234, 2234));
  expect((await Dataset.text(file).shuffle(500, { seed: 3 }).toArray()).sort()).toEqual([...lines].sort());
  expect(await Dataset.text(file).shard(3, 1).toArray()).toEqual(lines.filter((_, i) => i % 3 === 1));
});

test('paths, URLs, patterns, lists, bytes, streams', async () => {
  const a = folder.put('list-a.txt', 'a1\na2\n');
  const b = folder.put('list-b.txt', 'b1');
  const all = ['a1', 'a2', 'b1'];
  expect(await Dataset.text([a, pathToFileURL(b)]).toArray()).toEqual(all);
  expect(await Dataset.text(folder.at('list-?.txt')).toArray()).toEqual(all);
  expect(await Dataset.text(Buffer.from('x\ny')).toArray()).toEqual(['x', 'y']);
  expect(await Dataset.text(new Blob(['x\ny'])).toArray()).toEqual(['x', 'y']);
  expect(await Dataset.text(createReadStream(a)).toArray()).toEqual(['a1', 'a2']);
  expect(await Dataset.text([]).toArray()).toEqual([]);
});

test('header lines are left out of each file, and counted', async () => {
  const files = [
    folder.put('head-a.csv', 'id\n---\n1\n2\n'),
    folder.put('head-b.csv', 'id\n'),
    folder.put('head-c.csv', 'id\n---\n3\n'),
  ];
  const lines = Dataset.text(files, { skipHeaderLines: 2 });
  expect(await lines.toArray()).toEqual(['1', '2', '3']);
  const elements = lines.iterate();
  await elements.next();
  expect(elements.origin).toEqual({ file: files[0], record: 2, offset: 7, bytes: 1 });
  await elements.return();
});

test('origins: number of the line, its first byte, its bytes', async () => {
  const file = folder.put('origins.txt', '\ufeffzwölf\r\n\nend');
  const origins: unknown[] = [];
  await Dataset.text(file)
    .map((_, { origin }) => origins.push(origin))
    .toArray();
  expect(origins).toEqual([
    { file, record: 0, offset: 3, bytes: 6 },
    { file, record: 1, offset: 11, bytes: 0 },
    { file, record: 2, offset: 12, bytes: 3 },
  ]);
});

test('lines longer than what is read at a time', async () => {
  const long = 'x'.repeat(1_000_000);
  const lines = [`${long}1`, 'short', `${long}${long}2`, '', `${long}3`];
  const file = folder.put('long.txt', lines.join('\r\n'));
  expect(await Dataset.text(file).toArray()).toEqual(lines);
  expect(await Dataset.text(folder.put('long.gz', gzipSync(lines.join('\n')))).toArray()).toEqual(lines);
});

test('batches are arrays; lines keep through shuffles', async () => {
  const lines = numberedLines(0, 1000);
  const file = folder.put('many.txt', lines.join('\n'));
  expect(
    await Dataset.text(file)
      .batch(400)
      .map((batch) => batch.length)
      .toArray(),
  ).toEqual([400, 400, 200]);
  const shuffled = await Dataset.text(file).shuffle(100, { seed: 1 }).batch(7).toArray();
  expect(shuffled.flat()).not.toEqual(lines);
  expect(shuffled.flat().sort()).toEqual([...lines].sort());
});

describe('compression', () => {
  const content = numberedLines(0, 3000).join('\n');

  test.each([
    ['gzip', gzipSync(content)],
    ['gzip', Buffer.concat([gzipSync(content.slice(0, 1000)), gzipSync(''), gzipSync(content.slice(1000))])],
    ['zlib', deflateSync(content)],
    ['zlib', Buffer.concat([deflateSync(content.slice(0, 1000)), deflateSync(content.slice(1000))])],
  ] as const)('%s, by content', async (kind, bytes) => {
    const file = folder.put('auto.txt', bytes);
    expect((await Dataset.text(file).toArray()).join('\n')).toBe(content);
    expect(await Dataset.text(file, { compression: kind }).count()).toBe(3000);
    for (const size of [1, 100]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      expect((await Dataset.text(pieces).toArray()).join('\n')).toBe(content);
    }
    await expect(Dataset.text(file, { compression: 'none' }).toArray()).rejects.toMatchObject({ code: 'TFR_DECODE' });
    const other = kind === 'gzip' ? 'zlib' : 'gzip';
    await expect(Dataset.text(file, { compression: other }).toArray()).rejects.toMatchObject({
      code: 'TFR_COMPRESSION',
      file,
    });
  });

  test('text that is said to be compressed', async () => {
    await expect(Dataset.text(folder.put('bare.txt', 'text'), { compression: 'gzip' }).toArray()).rejects.toThrow(
      /was to be read as a gzip file \(compression: "gzip"\), but looks like uncompressed data\. compression: "auto" reads it/,
    );
  });

  test('text that begins like zlib is text', async () => {
    for (const text of ['x^2', 'x^2 + 1\nhC', 'hC\n', `x^${content}`]) {
      expect((await Dataset.text(folder.put('like.txt', text)).toArray()).join('\n')).toBe(text.replace(/\n$/, ''));
    }
  });

  test.each([
    ['cut', 'TFR_TRUNCATED', (bytes: Buffer) => bytes.subarray(0, -4)],
    ['followed by something else', 'TFR_TRAILING_DATA', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('more')])],
    ['followed by zeros', 'TFR_TRAILING_DATA', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(9)])],
    [
      'with a wrong checksum',
      'TFR_COMPRESSION',
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -8), Buffer.alloc(8)]),
    ],
  ])('%s: an error behind all lines before it', async (_, code, damage) => {
    const file = folder.put('damaged.gz', damage(gzipSync(`${content}\n`)));
    const lines: string[] = [];
    const reading = Dataset.text(file).forEachAsync((line) => lines.push(line));
    await expect(reading).rejects.toMatchObject({ code, file });
    expect(lines.join('\n')).toBe(content);
    const next = folder.put('next.txt', 'next');
    const skipping = Dataset.text([file, next]).onError({ action: 'skip', maxRate: 1 });
    expect((await skipping.toArray()).at(-1)).toBe('next');
    expect((await Dataset.text([file, next]).onError('stop').toArray()).at(-1)).toBe(lines.at(-1));
  });
});

describe('errors', () => {
  test('what is not UTF-8 is named, and skipped alone', async () => {
    const file = folder.put('latin1.txt', Buffer.from('eins\nzw\xf6lf\ndrei\nf\xfcnf', 'latin1'));
    const lines: string[] = [];
    await expect(Dataset.text(file).forEachAsync((line) => lines.push(line))).rejects.toMatchObject({
      code: 'TFR_DECODE',
      file,
      record: 1,
      offset: 5,
    });
    expect(lines).toEqual(['eins']);
    const reports: TFRecordError[] = [];
    const skipping = Dataset.text(file).onError({ action: 'skip', maxRate: 1, report: (error) => reports.push(error) });
    expect(await skipping.toArray()).toEqual(['eins', 'drei']);
    expect(reports.map(({ record }) => record)).toEqual([1, 3]);
    expect(await Dataset.text(file).onError('stop').toArray()).toEqual(['eins']);
    await expectResumes(skipping);
  });

  test('a missing file is an error; skipped once, and named', async () => {
    const files = [folder.put('there.txt', 'a'), folder.at('missing.txt'), folder.put('there-too.txt', 'b')];
    await expect(Dataset.text(files).toArray()).rejects.toMatchObject({ code: 'ENOENT', file: files[1] });
    const reports: unknown[] = [];
    const skipping = Dataset.text(files).onError({ action: 'skip', report: (error) => reports.push(error.file) });
    expect(await skipping.toArray()).toEqual(['a', 'b']);
    expect(reports).toEqual([files[1]]);
    await expect(Dataset.text(folder.at('no-*.txt')).toArray()).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(Dataset.text(folder.path).toArray()).rejects.toMatchObject({ code: 'EISDIR' });
  });

  test("a stream's own error is told as it is, behind the lines before it", async () => {
    const failure = new Error('the network is gone');
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a\nb\nc');
      throw failure;
    }
    const lines: string[] = [];
    await expect(Dataset.text(chunks()).forEachAsync((line) => lines.push(line))).rejects.toBe(failure);
    expect(lines).toEqual(['a', 'b']);
  });
});

test('a line comes when its end has come, however long the stream is silent then', async () => {
  let goOn = (): void => undefined;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a\n');
    await new Promise<void>((resolve) => (goOn = resolve));
    yield Buffer.from('b');
  }
  const lines = Dataset.text(chunks()).iterate();
  expect((await lines.next()).value).toBe('a');
  const second = lines.next();
  goOn();
  expect((await second).value).toBe('b');
  await lines.return();
});

test('what is read ahead counts in the budget', async () => {
  const file = folder.put('budget.txt', numberedLines(0, 100_000).join('\n'));
  let most = 0;
  const hold = jest.spyOn(Budget.prototype, 'hold').mockImplementation((bytes) => {
    most = Math.max(most, bytes);
  });
  try {
    const lines = Dataset.text(file).iterate();
    await lines.next();
    await lines.return();
  } finally {
    hold.mockRestore();
  }
  expect(most).toBeGreaterThan(100_000);
});

onLinux('nothing stays open', async () => {
  const file = folder.put('open.txt', numberedLines(0, 100_000).join('\n'));
  for (const lines of [
    Dataset.text([file, file]),
    Dataset.text(folder.put('open.gz', gzipSync(numberedLines(0, 100_000).join('\n')))),
  ]) {
    for await (const line of lines) if (line.startsWith('line 3 ')) break;
    expect(descriptorsIn(folder.path)).toBe(0);
    expect(await lines.take(5).count()).toBe(5);
    expect(descriptorsIn(folder.path)).toBe(0);
  }
});

test('wrong arguments', () => {
  const text = Dataset.text as (...args: unknown[]) => unknown;
  const codeOf = (...args: unknown[]): unknown => (thrown(() => text(...args)) as { code?: string }).code;
  expect(codeOf(3)).toBe('ERR_INVALID_ARG_TYPE');
  expect(codeOf('a', { skipHeaderLines: -1 })).toBe('ERR_OUT_OF_RANGE');
  expect(codeOf('a', { encoding: 'latin1' })).toBe('ERR_INVALID_ARG_VALUE');
  expect(codeOf('a', { compression: 'zip' })).toBe('ERR_INVALID_ARG_VALUE');
  expect(codeOf('a', { lines: 1 })).toBe('ERR_INVALID_ARG_VALUE');
});
