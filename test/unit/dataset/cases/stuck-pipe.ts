/** Pipelines over a pipe without a writer that are aborted or left, or that run beside a file with records. */
import { argument, say } from '../../../support/running/case';
import { Dataset } from '../../../../lib';

const pipe = argument(0);
const file = argument(1);

/** What `run` rejects with, aborted once it waits. */
async function aborted(run: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
  const abort = new AbortController();
  const running = run(abort.signal).then(
    () => 'resolved',
    (reason: unknown) => reason,
  );
  setTimeout(() => abort.abort('enough'), 50);
  return running;
}

async function all(elements: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of elements);
}

async function main(): Promise<void> {
  say(await aborted((signal) => Dataset.tfrecord(pipe).iterate({ signal }).next()));
  const left = Dataset.tfrecord(pipe).shuffle(3).batch(2).iterate();
  const pending = left.next();
  await left.return();
  say(await pending);
  // What the files beside it have comes; then all waits for the pipe.
  const both = Dataset.from([file, pipe]).interleave((path) => Dataset.tfrecord(path), { cycleLength: 2 });
  say(await aborted((signal) => all(both.prefetch(10).iterate({ signal }))));
  say(await aborted((signal) => both.batch(4).iterate({ signal }).next()));
  const first = both.iterate();
  say((await first.next()).done === false);
  await first.return();
}

void main();
