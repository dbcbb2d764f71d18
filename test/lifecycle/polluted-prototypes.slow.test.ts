/** Properties that other code puts on Object.prototype and Array.prototype change neither results nor options. */
import { symlinkSync, writeFileSync } from 'node:fs';

import { Folder } from '../support/records/record-files';
import { CASE_TIMEOUT, endedWell, runCase } from '../support/running/run-case';
import { flipBit, tfrecord } from '../support/records/tfrecord';

jest.setTimeout(CASE_TIMEOUT);

const PAYLOADS = Array.from({ length: 100 }, (_, number) => `record number ${number + 100}`);
const FRAME = 16 + 'record number 100'.length;
let bytes = tfrecord(PAYLOADS);
for (let record = 0; record < 50; record++) bytes = flipBit(bytes, FRAME * (2 * record + 1) + 14);

const folder = new Folder();
const damaged = folder.at('damaged');
const whole = folder.at('whole');
writeFileSync(damaged, bytes);
writeFileSync(whole, tfrecord(PAYLOADS));
symlinkSync('.', folder.at('loop'));
afterAll(() => folder.remove());

test.each(['setters', 'read-only values', 'writable values'])('%s', async (pollution) => {
  const args = [damaged, whole, folder.at('written'), pollution, folder.at('**/whole')];
  expect(await runCase('lifecycle/cases/globals/polluted-prototypes', { args })).toEqual(endedWell(true));
});
