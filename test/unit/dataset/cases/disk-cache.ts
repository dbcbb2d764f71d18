/**
 * Reads records through a cache. Arguments: a file, the cache, and `whole` to cache the records instead of their
 * lengths. Prints how many came, and how many were read.
 */
import { Dataset } from '../../../../lib';
import { argument, say } from '../../../support/running/case';

let read = 0;

async function main(): Promise<void> {
  const cached = Dataset.tfrecord(argument(0))
    .map((record) => {
      read++;
      return process.argv[4] === 'whole' ? record : record.length;
    })
    .cache(argument(1));
  let records = 0;
  try {
    for await (const chunk of cached.chunks()) records += chunk.length;
    say({ records, read });
  } catch (error) {
    const { code } = error as { code?: string };
    say({ code });
  }
}

void main();
