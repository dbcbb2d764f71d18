/** The queue of examples/queue on a real Redis: three workers, one of them killed, give the files of one run. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Queue } from 'bullmq';

import { encodeExample, int64, readRecords } from '../../../lib';
import { Folder } from '../../support/records/record-files';
import { ROOT } from '../../support/running/compiled-sources';

const there = spawnSync('redis-server', ['--version']).status === 0;
const onRedis = there ? test : test.skip;
const lacking = there ? '' : ' (skipped: no redis-server)';

const RECORDS = 2000;
const FILES = 12;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

describe('examples/queue', () => {
  const folder = new Folder();
  const scratch = mkdtempSync(join(tmpdir(), 'tfrecord-redis-'));
  const processes: ChildProcess[] = [];
  const started = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    processes.push(child);
    return child;
  };
  const example = (name: string): string => join(ROOT, 'examples', 'queue', name);

  afterAll(async () => {
    const left = processes.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    await Promise.all(
      left.map(async (child) => {
        const exit = once(child, 'exit');
        child.kill('SIGKILL');
        await exit;
      }),
    );
    folder.remove();
    rmSync(scratch, { recursive: true });
  });

  onRedis(
    `a worker that is killed loses its part to another one${lacking}`,
    async () => {
      for (let i = 0; i < FILES; i++) {
        const ids = Array.from({ length: RECORDS }, (_, k) => i * RECORDS + k);
        folder.write(
          `in-${String(i).padStart(2, '0')}.tfrecord`,
          ids.map((id) => encodeExample({ id: int64(id) })),
        );
      }
      const port = await freePort();
      const redis = started('redis-server', [
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--dir',
        scratch,
      ]);
      await waitFor(redis, /Ready to accept connections/);

      const env = { REDIS_URL: `redis://127.0.0.1:${port}`, LOCK_MS: '2000' };
      // Jobs that no producer of ours makes: they fail, and the workers go on.
      const others = new Queue('tfrecord-conversion', { connection: { host: '127.0.0.1', port } });
      for (const data of [null, {}, { output: 7 }]) {
        for (const name of ['part', 'merge', 'other']) await others.add(name, data);
      }
      const workers = [1, 2, 3].map(() => started(process.execPath, [example('worker.mjs')], env));
      const out = folder.at('out.tfrecord.gz');
      const producer = started(process.execPath, [example('enqueue.mjs'), folder.at('in-*.tfrecord'), out, '6'], env);
      const absent = [folder.at('absent'), folder.at('none.tfrecord'), '1'];
      const failing = started(process.execPath, [example('enqueue.mjs'), ...absent], env);
      const failed = waitFor(failing, /records in/).catch((error: unknown) => (error as Error).message);
      const printed = waitFor(producer, /records in \d+ files/);
      // It dies with its first part.
      await waitFor(workers[0]!, /^part \d/m);
      workers[0]!.kill('SIGKILL');
      expect(await printed).toContain(`${FILES * RECORDS} records in 6 files`);

      const names = readdirSync(folder.path).filter((name) => name.startsWith('out'));
      expect(names.filter((name) => name.endsWith('.gz'))).toHaveLength(6);
      expect(names.filter((name) => /part-|tmp/.test(name))).toEqual([]);
      const files = names.filter((name) => name.endsWith('.gz')).map((name) => folder.at(name));
      let id = 0;
      for await (const record of readRecords(files)) {
        if (!Buffer.from(encodeExample({ id: int64(id) })).equals(record)) throw new Error(`record ${id} is another`);
        id++;
      }
      expect(id).toBe(FILES * RECORDS);
      for (const file of files) expect(readFileSync(file)).not.toHaveLength(0);

      for (const parts of ['0', 'x', '10001', '1e9']) {
        const { status, stderr } = spawnSync(process.execPath, [example('enqueue.mjs'), 'in', 'out', parts]);
        expect([status, String(stderr)]).toEqual([2, 'usage: enqueue.mjs INPUT OUTPUT [PARTS]\n']);
      }
      expect(await failed).toMatch(/^ended with 1: enqueue\.mjs: [^\n]+\n$/);
      expect(await others.getFailedCount()).toBeGreaterThanOrEqual(9);
      await others.close();
    },
    120_000,
  );
});

/** Resolves with the output of `child` once it matches. Rejects if the process ends before. */
async function waitFor(child: ChildProcess, pattern: RegExp): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      output += String(chunk);
      if (pattern.test(output)) resolve(output);
    };
    child.stdout!.on('data', look);
    child.stderr!.on('data', look);
    child.once('exit', (code) => {
      reject(new Error(`ended with ${String(code)}: ${output}`));
    });
  });
}
