/** Readers of a pipe without a writer that are closed, aborted or left, or that wait after other work. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { countRecords, readRecords, RecordReader } from '../../../../lib';
import { argument, say } from '../../../support/running/case';

const pipe = argument(0);
const file = argument(1);

async function main(): Promise<void> {
  switch (argument(2)) {
    case 'closed': {
      const reader = await RecordReader.open(pipe);
      const next = reader[Symbol.asyncIterator]().next();
      await reader.close();
      say(await next);
      return;
    }
    case 'aborted': {
      const signal = AbortSignal.timeout(50);
      const all = Array.from({ length: 6 }, () =>
        countRecords(pipe, { signal }).catch((error: unknown) => (error as Error).name),
      );
      say(await Promise.all(all));
      // Node's own threads are free.
      say([(await readFile(file)).length > 0, await countRecords(file)]);
      return;
    }
    case 'exit': {
      void readRecords(pipe).next();
      setTimeout(() => process.exit(5), 50);
      return;
    }
    case 'written': {
      const count = countRecords(pipe);
      const writer = createWriteStream(pipe);
      await once(writer, 'open');
      writer.end(await readFile(file));
      say(await count);
      return;
    }
  }
}

void main();
