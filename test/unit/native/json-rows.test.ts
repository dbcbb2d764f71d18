import { native, RowChoiceMode, type RowBinding } from '../../../lib/native';
import { textsInSlab } from '../../support/records/texts-in-slab';

const rows = native() as RowBinding;
const encoder = new TextEncoder();
const NO_COUNTS = new Uint32Array(0);

test('rows are parsed, encoded, taken and dropped', async () => {
  const handle = rows.jsonRowsNew(RowChoiceMode.Except, [encoder.encode('x')], false);
  const [slab, frames] = textsInSlab('{"x":{}}', '{"é":1}', ' ', '{', '{"é":[2.5,"NaN"]}');
  const parsed = await rows.jsonRowsParse(handle, slab, frames, 1, 5);
  expect({ ...parsed, names: new TextDecoder().decode(parsed?.names) }).toEqual({
    names: 'é',
    nameEnds: Uint32Array.of(2),
    sections: Uint8Array.of(0),
    events: Uint32Array.of(0, 0, 0, 0, 0, 1, 3, 0, 2, 3, 0, 5),
    refused: Uint32Array.of(2),
    heldBytes: expect.any(Number) as number,
  });
  const bytes = await rows.jsonRowsEncode(handle, Uint8Array.of(2), NO_COUNTS, -1);
  const records = new Uint8Array(bytes! + 1);
  const [places, states] = [new Uint32Array(8), new Uint8Array(4)];
  expect(rows.jsonRowsTake(handle, records, places, states)).toBe(2);
  expect([...states]).toEqual([1, 0, 2, 1]);
  expect(Buffer.from(records.subarray(0, places[1])).toString('hex')).toBe('0a100a0e0a02c3a9120812060a040000803f');
  expect(places[2]! + places[3]!).toBe(bytes);
  for (const tooSmall of [
    () => rows.jsonRowsTake(handle, records.subarray(2), places, states),
    () => rows.jsonRowsTake(handle, records, places.subarray(5), states),
    () => rows.jsonRowsTake(handle, records, places, states.subarray(1)),
  ]) {
    expect(tooSmall).toThrow('too little room');
  }
  rows.jsonRowsFree(handle);
  expect(rows.jsonRowsTake(handle, records, places, states)).toBe(0);
  expect(await rows.jsonRowsEncode(handle, new Uint8Array(0), NO_COUNTS, -1)).toBe(0);
});

test('rows that are at work take no others, and none of shared memory or beyond a slab', async () => {
  const handle = rows.jsonRowsNew(RowChoiceMode.All, [], false);
  const [slab, frames] = textsInSlab('{}');
  const first = rows.jsonRowsParse(handle, slab, frames, 0, 1);
  for (const use of [
    () => rows.jsonRowsParse(handle, slab, frames, 0, 1),
    () => rows.jsonRowsEncode(handle, new Uint8Array(0), NO_COUNTS, -1),
    () => rows.jsonRowsTake(handle, slab, frames, slab),
    () => {
      rows.jsonRowsFree(handle);
    },
  ]) {
    expect(use).toThrow('at work');
  }
  expect(await first).toMatchObject({ refused: new Uint32Array(0) });
  const shared = new Uint8Array(new SharedArrayBuffer(3)) as Uint8Array as Uint8Array<ArrayBuffer>;
  for (const refused of [
    () => rows.jsonRowsParse(handle, shared, frames, 0, 1),
    () => rows.jsonRowsParse(handle, slab, frames, 0, 2),
    () => rows.jsonRowsParse(handle, slab, frames, 1, 0),
    () => rows.jsonRowsParse(handle, slab.subarray(1), frames, 0, 1),
    () => rows.jsonRowsEncode(handle, shared, NO_COUNTS, -1),
    () => rows.jsonRowsEncode(handle, Uint8Array.of(5), NO_COUNTS, -1),
    () => rows.jsonRowsEncode(handle, new Uint8Array(2), new Uint32Array(2), 0),
    () => rows.jsonRowsTake(handle, shared, frames, slab),
    () => rows.jsonRowsNew(3 as never, [], false),
    () => rows.jsonRowsNew(RowChoiceMode.Only, [shared], false),
    () => rows.jsonRowsParse({} as never, slab, frames, 0, 1),
  ]) {
    expect(refused).toThrow(/^tfrecord: /);
  }
});
