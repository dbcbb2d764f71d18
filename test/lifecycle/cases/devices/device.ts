/** Readers of a terminal where nobody types, or of another device, that are closed, aborted, left or read. */
import { readFile } from 'node:fs/promises';

import { countRecords, readRecords, RecordReader, type TFRecordError } from '../../../../lib';
import { argument, say } from '../../../support/running/case';
import { settles } from '../../../support/settles';
import { descriptorsIn } from '../../../support/running/descriptors';

const device = argument(0);
const file = argument(1);

/** Standard input may be open on the device. */
const before = descriptorsIn(device);

async function main(): Promise<void> {
  switch (argument(2)) {
    case 'closed': {
      const reader = await RecordReader.open(device);
      const next = reader[Symbol.asyncIterator]().next();
      setTimeout(() => void reader.close(), 50);
      say(await next);
      say(await settles(() => descriptorsIn(device) === before));
      return;
    }
    case 'aborted': {
      const signal = AbortSignal.timeout(50);
      const all = Array.from({ length: 6 }, () =>
        countRecords(device, { signal }).catch((error: unknown) => (error as Error).name),
      );
      say(await Promise.all(all));
      // Node's own threads are free.
      say([(await readFile(file)).length > 0, await countRecords(file)]);
      return;
    }
    case 'exit': {
      void readRecords(device).next();
      setTimeout(() => process.exit(5), 50);
      return;
    }
    case 'read': {
      say(await countRecords(device).catch((error: unknown) => (error as TFRecordError).code));
      say(await settles(() => descriptorsIn(device) === before));
      return;
    }
  }
}

void main();
