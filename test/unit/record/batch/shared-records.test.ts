/** Batches of records in shared memory. */
import {
  Dataset,
  encodeExamples,
  int64,
  encodeExample,
  encodeRecords,
  fixedLen,
  parseExample,
  RecordBatch,
  writeRecords,
  type SharedRecords,
} from '../../../../lib';
import { comparable } from '../../../support/comparable';
import { Folder, numberedRecords } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());
const file = folder.write('records', numberedRecords(30, 12));

/** What another thread gets. */
const posted = (shared: SharedRecords): SharedRecords => structuredClone(shared);

async function firstOf(dataset: Dataset<RecordBatch>): Promise<RecordBatch> {
  for await (const batch of dataset) return batch;
  throw new Error('no batch');
}

const batches: Record<string, () => Promise<RecordBatch>> = {
  'neighbours in a file': () => firstOf(Dataset.tfrecord(file).batch(7)),
  'neighbours behind others': () => firstOf(Dataset.tfrecord(file).skip(5).batch(7)),
  gathered: () => firstOf(Dataset.tfrecord(file).shuffle(20, { seed: 1 }).batch(7)),
  encoded: async () => encodeExamples({ id: new BigInt64Array([1n, 2n, 3n]) }, { id: fixedLen([], 'int64') }),
};

test.each(Object.entries(batches))('%s: the same records and origins', async (_, make) => {
  const batch = await make();
  const received = RecordBatch.from(posted(batch.share()));
  expect(received).toBeInstanceOf(RecordBatch);
  expect(comparable(received)).toEqual(comparable(batch));
  expect(received.byteLength).toBe(batch.byteLength);
  // Once more, from there.
  expect(comparable(RecordBatch.from(posted(received.share())))).toEqual(comparable(batch));
});

test('the memory is one, and not that of the batch', async () => {
  const batch = await batches['neighbours in a file']!();
  const shared = batch.share();
  const received = RecordBatch.from(posted(shared));
  received.at(2)!.fill(7);
  expect(comparable(RecordBatch.from(shared).at(2))).toBe(`0x${'07'.repeat(12)}`);
  expect(comparable(batch.at(2))).toEqual(comparable(numberedRecords(3, 12)[2]));
  expect(shared.memory.byteLength).toBeLessThan(7 * (12 + 16 + 8) + 1);
});

test('shared records are parsed and written like others', async () => {
  const spec = { id: fixedLen([], 'int64') };
  const examples = folder.write(
    'examples',
    [3n, 4n].map((id) => encodeExample({ id: int64(id) })),
  );
  const received = RecordBatch.from(posted((await firstOf(Dataset.tfrecord(examples).batch(2))).share()));
  expect([...parseExample(received, spec).id]).toEqual([3n, 4n]);
  expect(await Dataset.from([received]).parse(spec).toArray()).toEqual([{ id: new BigInt64Array([3n, 4n]) }]);
});

test('what is none is refused', async () => {
  const shared = (await batches['gathered']!()).share();
  const small = new SharedArrayBuffer(16);
  new Uint32Array(small).set([16, 1]);
  for (const [wrong, code] of [
    [undefined, 'ERR_INVALID_ARG_TYPE'],
    [{ ...shared, memory: new ArrayBuffer(8) }, 'ERR_INVALID_ARG_TYPE'],
    [{ ...shared, length: 1e6 }, 'ERR_INVALID_ARG_VALUE'],
    [{ ...shared, length: -1 }, 'ERR_INVALID_ARG_VALUE'],
    [{ ...shared, file: 5 }, 'ERR_INVALID_ARG_VALUE'],
    [{ ...shared, origins: [] }, 'ERR_INVALID_ARG_VALUE'],
    [{ ...shared, length: 1, origins: undefined, memory: small }, 'ERR_INVALID_ARG_VALUE'],
  ] as const) {
    expect(() => RecordBatch.from(wrong as never)).toThrow(expect.objectContaining({ code }));
  }
});

test('memory that was transferred away', async () => {
  const batch = await batches['neighbours in a file']!();
  structuredClone(null, { transfer: [batch.at(0)!.buffer] });
  expect(() => batch.share()).toThrow(expect.objectContaining({ code: 'TFR_CLOSED' }));
});

test('each member is read once: a getter cannot pass other memory after the check', async () => {
  const shared = (await batches['gathered']!()).share();
  const Resizable = ArrayBuffer as unknown as new (
    size: number,
    options: object,
  ) => ArrayBuffer & { resize(size: number): void };
  const other = new Resizable(shared.memory.byteLength, { maxByteLength: shared.memory.byteLength });
  new Uint8Array(other).set(new Uint8Array(shared.memory));
  const reads: Record<string, number> = {};
  const changing = (first: keyof SharedRecords): SharedRecords =>
    Object.defineProperties(
      {},
      Object.fromEntries(
        Object.entries(shared).map(([name, value]: [string, unknown]) => [
          name,
          {
            get: () => {
              reads[name] = (reads[name] ?? 0) + 1;
              return name === first && reads[name] % 2 === 0 ? other : value;
            },
          },
        ]),
      ),
    ) as SharedRecords;
  const received = RecordBatch.from(changing('memory'));
  expect(new Set(Object.values(reads))).toEqual(new Set([1]));
  other.resize(1);
  expect([...received]).toEqual([...RecordBatch.from(shared)]);
  const chunks: Uint8Array[] = [];
  const target = new WritableStream<Uint8Array>({ write: (chunk) => void chunks.push(chunk) });
  await writeRecords(target, [received]);
  expect(Buffer.concat(chunks).equals(encodeRecords([...RecordBatch.from(shared)]))).toBe(true);
});

test('origins are copied, and only those of records are taken', async () => {
  const shared = (await batches['gathered']!()).share();
  const origins = structuredClone(shared.origins) as unknown as { file: unknown }[];
  const received = RecordBatch.from({ ...shared, origins } as never);
  const before = received.origin(1);
  origins[1] = { file: 7 };
  expect(received.origin(1)).toEqual(before);
  const refused = expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }) as Error;
  for (const wrong of [origins, [null, ...origins.slice(1)], Array<undefined>(shared.length)]) {
    expect(() => RecordBatch.from({ ...shared, origins: wrong } as never)).toThrow(refused);
  }
});
