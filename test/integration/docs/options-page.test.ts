/** docs/options.md has every option of reading and writing; lint compares the texts with the types. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { READ_OPTION_NAMES, WRITE_OPTION_NAMES } from '../../../lib/record';
import { OPEN_OPTION_NAMES } from '../../../lib/record/index/open-indexed';

const page = readFileSync(join(__dirname, '../../../docs/options.md'), 'utf8');

test.each([
  ['Read records', [...READ_OPTION_NAMES, 'transient']],
  ['Read Examples', ['int64', 'bytes', 'transient']],
  ['Write records', WRITE_OPTION_NAMES],
  ['Write shards', ['shards', 'shardBy', 'maxShardBytes', 'partitionBy', 'force']],
  ['Open any record', OPEN_OPTION_NAMES],
])('%s', (title, names) => {
  const [, section] = new RegExp(`^## ${title}$([^]*?)(?=^## |(?![^]))`, 'm').exec(page)!;
  expect([...section!.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)).toEqual([...names]);
});
