/** Parity with TensorFlow: decoders and preprocessing. */
import { writeFileSync } from 'node:fs';

import {
  bytes,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  fixedLenSequence,
  int64,
  sparse,
  varLen,
} from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import { drain, folder, pattern, upTo } from './fixture';

const SPEC = { id: fixedLen([], 'int64'), share: fixedLen([], 'float32') };

test('C1 decoders follow one another; bytes come without a copy', async () => {
  const file = folder.write('image', [encodeExample({ image: bytes(Buffer.from([1, 2, 3, 4])) })]);
  const images = Dataset.tfrecord(file)
    .parse({ image: fixedLen([], 'bytes') })
    .map(({ image }) => [image.subarray(0, 2), image.subarray(2)]);
  const [[top, bottom]] = (await images.toArray()) as [[Uint8Array, Uint8Array]];
  expect([[...top], [...bottom], top.buffer === bottom.buffer]).toEqual([[1, 2], [3, 4], true]);
});

test('C2 an error of a decoder names the record', async () => {
  const decoded = Dataset.tfrecord(pattern).map((_, { index }) => {
    if (index === 7) throw new Error('no image');
    return index;
  });
  await expect(decoded.toArray()).rejects.toMatchObject({
    code: 'TFR_USER',
    stage: 'map',
    file: folder.at('set-1'),
    record: 2,
    cause: { message: 'no image' },
  });
});

test('C3 comma-separated values: defaults give the types, and the values of empty columns', async () => {
  const file = folder.at('table.csv');
  writeFileSync(file, '1,2.5,x\n,,\n');
  const rows = Dataset.csv(file, { columns: { a: { dtype: 'int32', default: 7 }, b: 0.5, c: 'none' }, header: false });
  expect(await rows.toArray()).toEqual([
    { a: 1, b: 2.5, c: 'x' },
    { a: 7, b: 0.5, c: 'none' },
  ]);
});

test('C4 raw bytes are Uint8Arrays, sliced without a copy', async () => {
  const [record] = (await Dataset.tfrecord(folder.write('raw', [Buffer.from([9, 8, 7])])).toArray()) as [Uint8Array];
  expect(record.subarray(1).buffer).toBe(record.buffer);
  expect([...record.subarray(1)]).toEqual([8, 7]);
});

test('C5 one parse, before a batch and behind it', async () => {
  const records = Dataset.tfrecord(pattern);
  expect(await drain(records.parse(SPEC).batch(8))).toEqual(await drain(records.batch(8).parse(SPEC)));
});

test('C6 SequenceExamples: context and lists', async () => {
  const record = encodeSequenceExample({ context: { id: int64(4) }, featureLists: { words: [int64(1), int64(2)] } });
  const rows = Dataset.tfrecord(folder.write('sequence', [record])).parseSequence({
    context: { id: fixedLen([], 'int64') },
    sequence: { words: fixedLenSequence([], 'int64') },
  });
  const [row] = await rows.toArray();
  expect([row?.context.id, [...(row?.sequence.words ?? [])]]).toEqual([4n, [1n, 2n]]);
});

test('C7 variable, fixed with a default, sparse, sequences; an absent key is not an empty one', async () => {
  const record = encodeExample({ at: int64([1, 4]), value: int64([10, 40]), none: int64([]) });
  const [row] = await Dataset.tfrecord(folder.write('kinds', [record]))
    .parse({
      none: varLen('int64'),
      missing: fixedLen([], 'int64', { default: 5n }),
      sparse: sparse({ indexKey: 'at', valueKey: 'value', dtype: 'int64', size: 6 }),
      steps: fixedLenSequence([], 'int64', { allowMissing: true }),
    })
    .toArray();
  expect([[...(row?.none ?? [])], row?.missing, [...(row?.sparse.values ?? [])]]).toEqual([[], 5n, [10n, 40n]]);
  expect(row?.steps).toHaveLength(0);
  const empty = Dataset.tfrecord(folder.at('kinds')).parse({ none: fixedLen([], 'int64', { default: 5n }) });
  await expect(empty.toArray()).rejects.toMatchObject({ code: 'TFR_FEATURE', feature: 'none' });
});

test('C8 sparse features pass all stages', async () => {
  const spec = { id: varLen('int64') };
  const [batch] = await Dataset.tfrecord(pattern).parse(spec).shuffle(5, { seed: 1 }).batch(20).toArray();
  expect([batch?.id.denseShape, [...(batch?.id.values ?? [])].map(Number).sort((a, b) => a - b)]).toEqual([
    [20, 1],
    upTo(20),
  ]);
});

test('C9, C10 noise for training, by element; none for evaluation', async () => {
  const clean = Dataset.tfrecord(pattern)
    .parse(SPEC)
    .map(({ share }) => share);
  const noisy = clean.map((share, { rng }) => share + rng.normal()).seed(1);
  expect(await drain(noisy)).toEqual(await drain(noisy));
  expect(await drain(noisy, 1)).not.toEqual(await drain(noisy, 0));
  expect(await drain(clean, 1)).toEqual(await drain(clean, 0));
});

test('C11 calls beside each other, in order, any number of them', async () => {
  for (const parallel of [1, 3, 16]) {
    let [now, most] = [0, 0];
    let reached = (): void => undefined;
    // No call ends before all are under way, however busy the machine is.
    const together = new Promise<void>((resolve) => (reached = resolve));
    const mapped = Dataset.range(40).map(
      async (i) => {
        most = Math.max(most, ++now);
        if (now === parallel) reached();
        await together;
        await new Promise((resolve) => setTimeout(resolve, (i * 7) % 3));
        now--;
        return i;
      },
      { parallel },
    );
    expect(await drain(mapped)).toEqual(upTo(40));
    expect(most).toBe(parallel);
  }
});

test('C13 several heads; the files stay with the batch', async () => {
  const iterator = Dataset.tfrecord(pattern).parse(SPEC).batch(8).iterate();
  const { value } = await iterator.next();
  expect(Object.keys(value ?? {})).toEqual(['id', 'share']);
  expect(iterator.origins.map(({ file }) => file.slice(-1)).join('')).toBe('00000111');
  await iterator.return();
});

test('C14 a bad input is skipped, with a message', async () => {
  const messages: string[] = [];
  const good = Dataset.tfrecord(pattern)
    .map((_, { index }) => {
      if (index % 10 === 3) throw new Error(`bad image ${index}`);
      return index;
    })
    .onError({ action: 'skip', report: ({ message }) => messages.push(message) });
  expect(await drain(good)).toHaveLength(18);
  expect(messages.join()).toMatch(/bad image 3.*bad image 13/);
});

test('C15 records are left out, or several made of one', async () => {
  const numbers = Dataset.range(6);
  expect(await drain(numbers.filter((i) => i % 2 === 0))).toEqual([0, 2, 4]);
  expect(await drain(numbers.flatMap((i) => Array<number>(i % 3).fill(i)))).toEqual([1, 2, 2, 4, 5, 5]);
});
