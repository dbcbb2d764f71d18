/**
 * The messages and fields of errors about damage, word for word. A change here is one that users see.
 *
 * `TFRECORD_WRITE_PINS=1 npx jest test/damage/messages` writes test/golden/pins/damage.json anew.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readRecords, type TFRecordError } from '../../lib';
import { isLong } from './damage-case';
import { PLAIN_DAMAGE } from './plain-cases';

const PIN = join(__dirname, '..', 'golden', 'pins', 'damage.json');

/** The errors of reading `bytes`, past all damage that can be skipped. */
async function errorsOf(bytes: Buffer): Promise<unknown[]> {
  const errors: TFRecordError[] = [];
  const onError = (error: TFRecordError): 'skip' => {
    errors.push(error);
    return 'skip';
  };
  for await (const _ of readRecords(Uint8Array.from(bytes), { onError }));
  return errors.map(({ code, message, ...fields }) => ({ code, message, ...fields }));
}

test('messages and fields of all damage within records', async () => {
  const found: Record<string, unknown> = {};
  for (const damage of PLAIN_DAMAGE.filter((one) => !isLong(one))) found[damage.name] = await errorsOf(damage.bytes);
  if (process.env['TFRECORD_WRITE_PINS'] === '1') writeFileSync(PIN, `${JSON.stringify(found, null, 1)}\n`);
  expect(JSON.parse(JSON.stringify(found))).toEqual(JSON.parse(readFileSync(PIN, 'utf8')));
});
