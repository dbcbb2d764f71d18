/** Over WebAssembly, `onError: 'salvage'` gives the same records and regions as the addon. */
import { readRecordsSync, type TFRecordError } from '../../../../lib';
import { injure } from '../../../support/records/injuries';
import { offsets, tfrecord } from '../../../support/records/tfrecord';
import { randoms } from '../../../support/randoms';
import { libraryOverWasm } from '../../../support/wasm-library';
import { describeWasm, lackOfWasm } from '../../../support/wasm-module';

describeWasm(`salvage${lackOfWasm}`, () => {
const overWasm = lackOfWasm === '' ? libraryOverWasm() : (undefined as never);

test.each([1, 2, 3, 4, 5])('injured file %i', (seed) => {
  const random = randoms(seed);
  const payloads = Array.from({ length: 400 }, (_, i) => Buffer.alloc(300 * random(), i));
  const whole = { bytes: tfrecord(payloads), offsets: offsets(payloads) };
  const { bytes, untouched } = injure(whole, 8, random);
  const [found, same] = [readRecordsSync, overWasm.readRecordsSync].map((read) => {
    const regions: unknown[] = [];
    const report = ({ code, message, region }: TFRecordError): void => void regions.push({ code, message, region });
    const records = [...read(bytes, { onError: { action: 'salvage', report } })].map((record) => Buffer.from(record).toString('latin1'));
    return { records, regions };
  });
  expect(same).toEqual(found);
  expect(found!.records.length).toBeGreaterThanOrEqual(untouched.length);
  expect(found!.regions.length).toBeGreaterThan(0);
});
});
