import { native, type CsvBinding } from '../../../lib/native';
import { textsInSlab } from '../../support/records/texts-in-slab';

const rows = native() as CsvBinding;
const encoder = new TextEncoder();
const COMMA = 0x2c;

test('rows are surveyed, encoded, taken and dropped', async () => {
  const handle = rows.csvRowsNew(COMMA, [encoder.encode('NA')], false);
  const names = [encoder.encode('é'), encoder.encode('f')];
  rows.csvRowsBegin(handle, names, Uint8Array.of(1, 2), true);
  const [slab, frames] = textsInSlab('head,er', '"a\n",1.5', '', 'x', 'NA,0.123456789', '7,');
  expect(await rows.csvRowsSurvey(handle, slab, frames, 1, 6)).toEqual({
    columns: Uint32Array.of(1, 0, 1, 1, 0, 0, 2, 0, 1, 0),
    firsts: Uint32Array.of(0, 0, 2, 0, 1, 1, 4, 0, 0),
    refused: Uint32Array.of(2),
    breaks: Uint32Array.of(0, 1, 1, 1, 1, 1),
  });
  const { bytes, ...rest } = (await rows.csvRowsEncode(handle, slab, frames, 1, 6))!;
  expect(rest).toEqual({
    rounded: Uint32Array.of(0, 1),
    roundings: Uint32Array.of(3, 1),
    breaks: Uint32Array.of(0, 1, 1, 1, 1, 1),
  });
  const records = new Uint8Array(bytes + 1);
  const [places, states] = [new Uint32Array(10), new Uint8Array(5)];
  expect(rows.csvRowsTake(handle, records, places, states)).toBe(3);
  expect([...states]).toEqual([1, 0, 2, 1, 1]);
  expect(Buffer.from(records.subarray(places[4], bytes)).toString('hex')).toBe('0a0d0a0b0a02c3a912050a030a0137');
  expect(places[4]! + places[5]!).toBe(bytes);
  for (const tooSmall of [
    () => rows.csvRowsTake(handle, records.subarray(2), places, states),
    () => rows.csvRowsTake(handle, records, places.subarray(5), states),
    () => rows.csvRowsTake(handle, records, places, states.subarray(1)),
  ]) {
    expect(tooSmall).toThrow('too little room');
  }
  rows.csvRowsFree(handle);
  expect(rows.csvRowsTake(handle, records, places, states)).toBe(0);
});

test('rows that are at work take no others, and none of shared memory or beyond a slab', async () => {
  const handle = rows.csvRowsNew(COMMA, [], false);
  const names = [encoder.encode('a')];
  rows.csvRowsBegin(handle, names, Uint8Array.of(3), true);
  const [slab, frames] = textsInSlab('1');
  const first = rows.csvRowsEncode(handle, slab, frames, 0, 1);
  for (const use of [
    () => rows.csvRowsSurvey(handle, slab, frames, 0, 1),
    () => rows.csvRowsEncode(handle, slab, frames, 0, 1),
    () => {
      rows.csvRowsBegin(handle, names, Uint8Array.of(1), true);
    },
    () => rows.csvRowsTake(handle, slab, frames, slab),
    () => {
      rows.csvRowsFree(handle);
    },
  ]) {
    expect(use).toThrow('the rows are at work');
  }
  await first;
  expect(() => rows.csvRowsEncode(handle, slab, Uint32Array.of(1, 1), 0, 1)).toThrow('beyond its slab');
  expect(() => rows.csvRowsEncode(handle, slab, frames, 1, 2)).toThrow('not the frames');
  const shared = new Uint8Array(new SharedArrayBuffer(1));
  expect(() => rows.csvRowsSurvey(handle, shared, frames, 0, 1)).toThrow('not an unshared Uint8Array');
  expect(() => {
    rows.csvRowsBegin(handle, names, new Uint8Array(2), true);
  }).toThrow('columns of CSV');
  expect(() => rows.csvRowsNew(0x22, [], false)).toThrow('delimiter');
});
