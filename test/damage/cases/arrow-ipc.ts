/** Damaged files and streams of Arrow, and what becomes of them. */
import * as arrow from 'apache-arrow';
import { writeFileSync } from 'node:fs';

import { encodeSequenceExample, float, int64, TFRecordError } from '../../../lib';
import { ArrowEncoder, ArrowFile, ArrowStream, type ArrowForm, type ArrowRows } from '../../../lib/arrow';
import { encodeTable, newTable, readTable, type FeatureColumn } from '../../../lib/table';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new Folder();
const path = folder.at('x.arrow');
afterAll(() => {
  folder.remove();
});

const column = (key: string, dtype: FeatureColumn['dtype'], rest: Partial<FeatureColumn> = {}): FeatureColumn => ({
  ...{ key, section: 0, dtype, shape: undefined, nullable: true, ...rest },
});
const COLUMNS = [
  column('i', 'int64'),
  column('f', 'float32', { shape: [2] }),
  column('b', 'bytes', { shape: [] }),
  column('t', 'text', { section: 1 }),
];
const RECORDS = [
  encodeSequenceExample({
    context: { i: int64([1, 2]), f: float([1, 2]), b: 'x' },
    featureLists: { t: [['a', 'b'], []] },
  }),
  encodeSequenceExample({ context: { i: int64([]) }, featureLists: { t: [] } }),
  encodeSequenceExample({ context: {}, featureLists: {} }),
];

async function ours(form: ArrowForm): Promise<Buffer> {
  const table = newTable(COLUMNS, true);
  const chunks: Uint8Array[] = [];
  const encoder = new ArrowEncoder(form, table, {}, (part) => chunks.push(part));
  for await (const batch of readTable(tfrecord(RECORDS), table).pieces(2)) encoder.write(batch);
  encoder.finish();
  return Buffer.concat(chunks);
}

/** Types that others write. */
function theirs(form: ArrowForm): Buffer {
  const { vectorFromArray, Dictionary, Utf8, LargeUtf8, Int32, Int8, Bool, Float64, FixedSizeBinary, Null } = arrow;
  const table = new arrow.Table({
    d: vectorFromArray(['x', 'y', null, 'x'], new Dictionary(new Utf8(), new Int32())),
    l: vectorFromArray(['ab', null, '', 'c'], new LargeUtf8()),
    n: vectorFromArray([1, null, 3, -4], new Int8()),
    o: vectorFromArray([true, false, null, true], new Bool()),
    g: vectorFromArray([1, 0.5, null, -0], new Float64()),
    w: vectorFromArray([Uint8Array.of(1, 2), null, Uint8Array.of(3, 4), Uint8Array.of(5, 6)], new FixedSizeBinary(2)),
    z: vectorFromArray([null, null, null, null], new Null()),
  });
  return Buffer.from(arrow.tableToIPC(table, form));
}

function opened(content: Uint8Array, form: ArrowForm): Promise<ArrowRows> {
  const options = { file: 'x.arrow', rounding: false };
  if (form === 'file') {
    writeFileSync(path, content);
    return ArrowFile.open(path, options);
  }
  let rest: Uint8Array | undefined = content;
  const next = (): Promise<Uint8Array | undefined> => {
    const chunk = rest;
    rest = undefined;
    return Promise.resolve(chunk);
  };
  return ArrowStream.open({ next, close: () => Promise.resolve() }, options);
}

/** The records, or the code of the error. */
export async function outcome(content: Uint8Array, form: ArrowForm): Promise<readonly Buffer[] | string> {
  const records: Buffer[] = [];
  let rows: ArrowRows | undefined;
  try {
    rows = await opened(content, form);
    for await (const { rows: count, vectors } of rows.batches()) {
      for (const record of encodeTable(rows.table, vectors, count)) records.push(Buffer.from(record));
    }
    return records;
  } catch (error) {
    if (!(error instanceof TFRecordError)) throw error;
    expect(error).toMatchObject({ file: 'x.arrow', message: expect.stringContaining('x.arrow') as string });
    return error.code;
  } finally {
    await rows?.close();
  }
}

/** Whole files, and the number of their rows. */
export const WHOLE = { ours: [ours, 3], theirs: [theirs, 4] } as const;

/** Cuts a file after every `step`th byte. Returns the codes of the errors. */
export async function cutEvery(step: number, who: keyof typeof WHOLE, form: ArrowForm): Promise<unknown[]> {
  const whole = await WHOLE[who][0](form);
  const codes = new Set<unknown>();
  for (let length = 0; length < whole.length; length += step) {
    codes.add(await outcome(whole.subarray(0, length), form));
  }
  return [...codes];
}

const CHANGES = [0x01, 0x80, 0xff, 0x40, 0x04];

/** Changes every `step`th byte in some ways. Returns the largest number of rows that came of it. */
export async function changeEvery(step: number, who: keyof typeof WHOLE, form: ArrowForm): Promise<number> {
  const whole = await WHOLE[who][0](form);
  let most = 0;
  for (let i = 0; i < whole.length * CHANGES.length; i += step) {
    const content = Buffer.from(whole);
    const at = Math.floor(i / CHANGES.length);
    content[at] = content[at]! ^ CHANGES[i % CHANGES.length]!;
    const found = await outcome(content, form);
    if (typeof found !== 'string') most = Math.max(most, found.length);
  }
  return most;
}
