/** Leaves an atomic writer in a folder from which nothing can be removed any more. Argument: the folder around it. */
import { chmodSync, mkdirSync } from 'node:fs';

import { argument, say } from '../../../support/running/case';
import { RecordWriter } from '../../../../lib';

const shut = `${argument(0)}/shut`;
// Permissions do not bind root.
if (process.geteuid?.() === 0) process.seteuid?.(65534);

async function main(): Promise<void> {
  mkdirSync(shut);
  const writer = await RecordWriter.open(`${shut}/a.tfrecord`);
  chmodSync(shut, 0o555);
  Object.assign(globalThis, { writer });
  say('opened');
}

void main();
