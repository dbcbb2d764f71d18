/** Drops a writer without close. Argument 1: its target. */
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

import { argument, say } from '../../../support/running/case';
import { RecordWriter, type WriteOptions, type WriteTarget } from '../../../../lib';

const way = argument(1);
const target = join(argument(0), 'out.tfrecord');
let streamError: NodeJS.ErrnoException | undefined;
const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
sink.on('error', (error) => (streamError = error));
const { signal } = new AbortController();

async function forget(to: WriteTarget, options?: WriteOptions): Promise<void> {
  const writer = await RecordWriter.open(to, options);
  await writer.write('record');
  await writer.flush();
  await writer.write('and another');
}

async function main(): Promise<void> {
  const warnings: Error[] = [];
  process.on('warning', (warning) => warnings.push(warning));
  if (way === 'stream') await forget(sink);
  else await forget(target, { atomic: way !== 'in place', ...(way === 'with a signal' ? { signal } : {}) });
  for (let turn = 0; warnings.length === 0 && turn < 500; turn++) {
    (globalThis as unknown as { gc: () => void }).gc();
    await wait(10);
  }
  const [{ name, message, code } = {} as Error & { code?: string }] = warnings as (Error & { code?: string })[];
  say({ name, code, message });
  say(message);
  // Native threads give the target up after this.
  await wait(200);
  say({ stream: streamError?.code ?? null });
}

void main();
