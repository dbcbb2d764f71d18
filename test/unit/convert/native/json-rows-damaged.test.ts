/**
 * Damaged JSON Lines, read by native code and by JavaScript alone: the same records, notes and errors. TFRECORD_FULL=1 tries
 * 20,000 texts.
 */
import fc from 'fast-check';

import { fixedLen, varLen } from '../../../../lib';
import type { ConvertOptions } from '../../../../lib/convert';
import { textDamage } from '../../../support/records/damages';
import { expectSame, lines, oneOf } from '../../../support/records/json-lines';
import { Folder } from '../../../support/records/record-files';

const DAMAGED = process.env['TFRECORD_FULL'] === '1' ? 20_000 : 300;

const folder = new Folder();
afterAll(() => folder.remove());

const LIKELY = ['"', '\\', '{', '}', '[', ']', ':', ',', '\n', '\r', '\0', '\xff', '\xc3', '0', '.', 'e', '-', 'u', ' '];
const options = fc.record({
  onError: oneOf<ConvertOptions['onError']>('throw', 'skip', 'stop', { action: 'skip', maxRate: 1 }),
  spec: oneOf<ConvertOptions['spec']>(
    undefined,
    undefined,
    { a: varLen('int64'), b: varLen('float32'), '10': varLen('bytes'), é: varLen('text') },
    { a: fixedLen([], 'float32', { default: 0 }), b: fixedLen([2], 'int64', { default: [1, 2] }), '2': varLen('text') },
  ),
});

test(`${DAMAGED} damaged texts give the same`, async () => {
  await fc.assert(
    fc.asyncProperty(lines, textDamage(LIKELY), options, async (rows, damaged, given) => {
      await expectSame(folder, damaged(rows.join('\n')), given);
    }),
    { numRuns: DAMAGED },
  );
}, 3_600_000);
