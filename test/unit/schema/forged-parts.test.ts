/** Files of parts with numbers that no records have: an error with a code, never a schema. */
import { mergeSchemas } from '../../../lib/schema/parts';
import { PartEntryType, type PartEntry } from '../../../lib/schema/parts/part-entry';
import type { MessageInit } from '../../../lib/example';
import { Folder } from '../../support/records/record-files';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const TOTALS = { records: 3, withLists: 1, bytes: 90, compressedBytes: 90, skipped: 0, lostBytes: 0, version: 1 };
const EXTENT = { min: 0, max: 4, total: 6 };
const INTS = { min: -2n, max: 7n, zeros: 1, many: false, distinct: [-2n, 0n, 7n] };
const FLOATS = { bounds: [-1, 2.5], zeros: 1, nans: 1, infinities: 1 };
const BYTES = { lengths: EXTENT, notUtf8: 1, withControls: 1, pictures: [0, 2], many: false, distinct: [] };
const KINDS = { bytesLists: 0, floatLists: 0, int64Lists: 2, none: 1 };
const FEATURE = { inLists: false, name: 'a', records: 3, ...KINDS, empty: 1, counts: EXTENT, int64: INTS };

type Forged = Record<string, unknown>;

async function merged(totals: Forged, feature: Forged, size: readonly number[] = [30, 40]): Promise<unknown> {
  const entries = [
    { totals: { ...TOTALS, ...totals } },
    { feature: { ...FEATURE, ...feature } },
    { picture: { size } },
  ];
  const file = folder.write(
    'part.tfrecord',
    entries.map((entry) => PartEntryType.encode(entry as unknown as MessageInit<PartEntry>)),
  );
  return mergeSchemas([file], [], undefined);
}

test('numbers that records can have are read', async () => {
  await expect(merged({}, {})).resolves.toMatchObject({ records: 3, withLists: 1 });
  await expect(merged({}, { float32: FLOATS, bytes: BYTES }, [])).resolves.toBeDefined();
});

const CODE = 'TFR_STATE_MISMATCH';
const NOT_COUNTS = [-1, NaN, Infinity, 0.5, 2 ** 53];

test.each(['records', 'withLists', 'bytes', 'compressedBytes', 'skipped', 'lostBytes'])('totals: %s', async (name) => {
  for (const value of NOT_COUNTS) await expect(merged({ [name]: value }, {})).rejects.toHaveProperty('code', CODE);
});

const FORGED: Record<string, Forged> = {
  'more records than there are': { records: 4 },
  'more empty lists than lists': { empty: 3 },
  'lists without counts': { counts: undefined },
  'counts without lists': { int64Lists: 0, empty: 0 },
  'a minimum above the maximum': { counts: { min: 5, max: 4, total: 6 } },
  'a sum below the maximum': { counts: { min: 0, max: 4, total: 3 } },
  'negative steps': { steps: { min: -1, max: 4, total: 6 } },
  'integers the wrong way round': { int64: { ...INTS, min: 8n } },
  'an integer out of its bounds': { int64: { ...INTS, distinct: [8n] } },
  'more zeros than values': { int64: { ...INTS, zeros: 7 } },
  'too many different integers': { int64: { ...INTS, distinct: Array.from({ length: 101 }, () => 0n) } },
  'one bound': { float32: { ...FLOATS, bounds: [1] } },
  'a bound that is no number': { float32: { ...FLOATS, bounds: [NaN, 1] } },
  'bounds the wrong way round': { float32: { ...FLOATS, bounds: [2, 1] } },
  'more NaN than values': { float32: { ...FLOATS, nans: 5 } },
  'more binary values than values': { bytes: { ...BYTES, notUtf8: 6 } },
  'negative pictures': { bytes: { ...BYTES, pictures: [-1] } },
  'more pictures than values': { bytes: { ...BYTES, pictures: [4, 3] } },
  'an unknown format of pictures': { bytes: { ...BYTES, pictures: [0, 0, 0, 0, 0, 0, 0] } },
  'lengths the wrong way round': { bytes: { ...BYTES, lengths: { min: 2, max: 1, total: 2 } } },
};

test.each(Object.entries(FORGED))('a feature with %s', async (_what, feature) => {
  await expect(merged({}, feature)).rejects.toHaveProperty('code', CODE);
});

test('numbers of a feature that are no counts', async () => {
  for (const name of ['records', 'bytesLists', 'floatLists', 'int64Lists', 'none', 'empty']) {
    for (const value of NOT_COUNTS) await expect(merged({}, { [name]: value })).rejects.toHaveProperty('code', CODE);
  }
});

test.each([[[30]], [[30, -1]], [[NaN, 2]], [[1, 2, 3]]])('a picture of the size %j', async (size) => {
  await expect(merged({}, {}, size)).rejects.toHaveProperty('code', CODE);
});

test('more records with lists than records', async () => {
  await expect(merged({ withLists: 4 }, {})).rejects.toHaveProperty('code', CODE);
});
