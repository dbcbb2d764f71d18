/**
 * Every kind of damage, through every source, in every lane and codec: the same records first, then the same error.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { everywhere, readEverywhere } from '../support/outcomes';
import { CODECS, compress } from '../support/tfrecord';
import { MEMBER_DAMAGE } from './member-cases';
import { PLAIN_DAMAGE } from './plain-cases';
import { STREAM_DAMAGE } from './stream-cases';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tfr-damage-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe.each(CODECS)('damage within the records, codec %s', (codec) => {
  test.each(PLAIN_DAMAGE)('$name', async ({ bytes, expected, options }) => {
    const outcomes = await readEverywhere(folder, compress(bytes, codec), options);
    expect(outcomes).toEqual(everywhere(folder, expected));
  });
});

test.each(STREAM_DAMAGE)('damage of the whole stream: $name', async ({ bytes, expected, options }) => {
  const outcomes = await readEverywhere(folder, bytes, options);
  expect(outcomes).toEqual(everywhere(folder, expected));
});

test.each(MEMBER_DAMAGE)('damage of members in our layout: $name', async ({ bytes, expected, options }) => {
  const outcomes = await readEverywhere(folder, bytes, options);
  expect(outcomes).toEqual(everywhere(folder, expected));
});
