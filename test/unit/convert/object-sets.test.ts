/** Sets of objects: as inputs, by patterns and lists, and as outputs. */
import { Dataset, encodeExample, int64, openIndexed } from '../../../lib';
import { convert, type ConvertReport } from '../../../lib/convert';
import { MemoryStore } from '../../support/remote/memory-store';
import { Folder, numberedRecords } from '../../support/records/record-files';
import { tfrecord, wholeRecords } from '../../support/records/tfrecord';
import { runHere } from '../../support/running/run-here';

const folder = new Folder();
let store: MemoryStore;
beforeEach(() => (store = new MemoryStore('s3')));
afterEach(() => {
  store.remove();
});
afterAll(() => folder.remove());

const records = numberedRecords(90, 20);
const all = Array.from({ length: 90 }, (_, i) => i);
const numbers = (bytes: Buffer): number[] => wholeRecords(bytes).map((record) => record.readUInt32LE(0));
const numbersOf = (urls: readonly string[]): number[] => urls.flatMap((url) => numbers(store.objects.get(url)!));

function putInputs(): void {
  for (let i = 0; i < 3; i++) store.objects.set(`s3://b/in/train-${i}`, tfrecord(records.slice(30 * i, 30 * i + 30)));
  store.objects.set('s3://b/in/other', tfrecord(records));
}

test('patterns and lists are inputs, also of files among parts', async () => {
  putInputs();
  const { at } = folder.place();
  const report = await convert('s3://b/in/train-*', at('out'));
  expect(report).toMatchObject({ records: 90 });
  expect(await convert(['s3://b/in/train-0', 's3://b/in/train-2'], at('two'))).toMatchObject({ records: 60 });
  const parts: ConvertReport[] = [];
  for (const index of [0, 1]) parts.push(await convert('s3://b/in/other', at('o'), { shard: { index, count: 2 } }));
  expect(parts.map(({ records: count }) => count)).toEqual([45, 45]);
});

test.each([{ shards: 4 }, { maxBytes: 700 }, { shards: 2, shuffle: true }])(
  'outputs are a set of objects, and a manifest: %j',
  async (options) => {
    putInputs();
    const report = await convert('s3://b/in/train-*', 's3://b/out/x.tfrecord', options);
    expect(report).toMatchObject({ records: 90 });
    expect(store.names().filter((url) => url.startsWith('s3://b/out/'))).toEqual([
      ...report.files,
      's3://b/out/x.tfrecord.manifest.json',
    ]);
    expect(report.files[1]).toMatch(/^s3:\/\/b\/out\/x-00001-of-0000\d\.tfrecord$/);
    expect(numbersOf(report.files).sort((a, b) => a - b)).toEqual(all);
    const manifest: unknown = JSON.parse(store.objects.get('s3://b/out/x.tfrecord.manifest.json')!.toString());
    expect(manifest).toMatchObject({
      complete: true,
      records: 90,
      outputs: report.files.map((url) => ({ file: url.split('/').at(-1), bytes: store.objects.get(url)!.length })),
    });
  },
);

test('a split has an object for each side, compressed by the name', async () => {
  putInputs();
  const { files } = await convert('s3://b/in/other', 's3://b/out/x.gz', { split: { a: 0.5, b: 0.5 } });
  expect(files).toEqual(['s3://b/out/x-a.gz', 's3://b/out/x-b.gz']);
  expect(store.objects.get(files[0]!)!.subarray(0, 2).toString('hex')).toBe('1f8b');
});

test('objects that exist are refused, or replaced', async () => {
  putInputs();
  await convert('s3://b/in/other', 's3://b/out/x', { shards: 2 });
  await expect(convert('s3://b/in/other', 's3://b/out/x', { shards: 2 })).rejects.toMatchObject({ code: 'EEXIST' });
  // Another number of shards would leave the old ones among the new.
  await expect(convert('s3://b/in/other', 's3://b/out/x', { shards: 3 })).rejects.toMatchObject({
    code: 'EEXIST',
    file: 's3://b/out/x-00000-of-00002',
  });
  await convert('s3://b/in/train-0', 's3://b/out/x', { shards: 2, force: true });
  expect(numbersOf(['s3://b/out/x-00000-of-00002', 's3://b/out/x-00001-of-00002'])).toEqual(all.slice(0, 30));
});

test('a failure leaves no object that is not whole, and no manifest', async () => {
  const damaged = tfrecord(records);
  damaged[36 * 70 + 20]! ^= 1;
  store.objects.set('s3://b/damaged', damaged);
  await expect(convert('s3://b/damaged', 's3://b/out/x', { shards: 3 })).rejects.toMatchObject({
    code: 'TFR_CORRUPT_DATA',
  });
  const out = store.names().filter((url) => url.startsWith('s3://b/out/'));
  expect(numbersOf(out)).toEqual(all.slice(0, 30 * out.length));
  expect(out).not.toContain('s3://b/out/x.manifest.json');
});

describe('an abort while an object is uploaded', () => {
  const examples = Array.from({ length: 40 }, (_, i) => encodeExample({ n: int64(i) }));
  let closing: AbortController;
  beforeEach(() => {
    closing = new AbortController();
    store.objects.set('s3://b/in/examples', tfrecord(examples));
  });
  const abortAt = (url: string): void => {
    store.holds = (each) => {
      if (each === url) closing.abort(new Error('enough'));
      return each === url;
    };
  };

  test.each(['x.tfrecord', 'x.jsonl', 'x.csv', 'x.arrow', 'x.jsonl.gz'])(
    'gives it up before convert rejects: %s',
    async (name) => {
      abortAt(`s3://b/out/${name}`);
      const { signal } = closing;
      await expect(convert('s3://b/in/examples', `s3://b/out/${name}`, { signal })).rejects.toThrow('enough');
      expect([store.aborted, store.names()]).toEqual([1, ['s3://b/in/examples']]);
    },
  );

  test.each([
    ['the manifest', 'x.manifest.json', ['x-00000-of-00002', 'x-00001-of-00002']],
    ['the first object', 'x-00000-of-00002', []],
  ])('of a set leaves no manifest: %s', async (_, name, left) => {
    abortAt(`s3://b/out/${name}`);
    const { signal } = closing;
    await expect(convert('s3://b/in/examples', 's3://b/out/x', { shards: 2, signal })).rejects.toThrow('enough');
    expect(store.names()).toEqual(['s3://b/in/examples', ...left.map((each) => `s3://b/out/${each}`)]);
  });

  test('gives an index up that is saved beside an object', async () => {
    abortAt('s3://b/in/examples.tfindex');
    const { signal } = closing;
    await expect(openIndexed('s3://b/in/examples', { save: true, signal })).rejects.toThrow('enough');
    expect([store.aborted, store.names()]).toEqual([1, ['s3://b/in/examples']]);
  });
});

test('what needs files is refused', async () => {
  putInputs();
  for (const options of [{ resume: true }, { shard: '0/2' }, { partitionBy: 'a' }, { index: true }]) {
    await expect(convert('s3://b/in/other', 's3://b/out/x', options)).rejects.toThrow(/not a file/);
  }
});

test('the command writes them, too', async () => {
  putInputs();
  const { code, stdout } = await runHere(['convert', '--json', '--shards', '2', 's3://b/in/train-*', 's3://b/out/x']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ files: ['s3://b/out/x-00000-of-00002', 's3://b/out/x-00001-of-00002'] });
});

test('Dataset.writeTo writes one object, or a set, and reads patterns', async () => {
  putInputs();
  const input = Dataset.tfrecord('s3://b/in/train-*');
  expect(await input.writeTo('s3://b/one')).toMatchObject({ records: 90, files: ['s3://b/one'] });
  const { files } = await input.writeTo('s3://b/set.gz@3');
  expect(files[2]).toBe('s3://b/set-00002-of-00003.gz');
  await input.writeTo('s3://b/part-{shard:02}', { shards: 2 });
  expect(store.names()).toEqual(expect.arrayContaining(['s3://b/part-00', 's3://b/part-01', ...files]));
  expect(await Dataset.tfrecord('s3://b/set-*').count()).toBe(90);
  const failing = input.map((record, { index }) => {
    if (index === 50) throw new Error('stop');
    return record;
  });
  await expect(failing.writeTo('s3://b/none', { shards: 2 })).rejects.toThrow('stop');
  expect(store.names().filter((url) => url.includes('none'))).toEqual([]);
});
