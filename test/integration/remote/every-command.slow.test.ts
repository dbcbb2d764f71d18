/** Every command that reads, in a process of its own: it prints for a URL what it prints for the file. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { WebSocket } from 'ws';

import { Client, unpackFrame, type Port } from '../../../lib/view/protocol';
import { Folder } from '../../support/records/record-files';
import { ObjectServer } from '../../support/remote/object-server';
import { ROOT } from '../../support/running/compiled-sources';
import { cliResult, runCli, startCli, type CliResult } from '../../support/running/run-cli';
import { s3Package } from '../../support/servers/clients';
import { describeWith } from '../../support/servers/servers';
import { environmentOf, serveStore, uploadObject } from '../../support/servers/stores';

jest.mock('@aws-sdk/client-s3', () => s3Package(), { virtual: true });

const FILE = join(ROOT, 'examples', 'data', 'weather.tfrecord.gz');
const folder = new Folder();
afterAll(() => folder.remove());

/** The arguments of each command, for an input, and a name that is free. */
const COMMANDS: Readonly<Record<string, (input: string, out: string) => readonly string[]>> = {
  head: (input) => ['head', '-n', '2', '--origin', input],
  'head --skip': (input) => ['head', '--skip', '2', '-n', '1', input],
  tail: (input) => ['tail', '-n', '1', input],
  cat: (input) => ['cat', input],
  get: (input) => ['get', input, '1', '0'],
  sample: (input) => ['sample', '-n', '2', '--seed', '1', input],
  grep: (input) => ['grep', '-c', 'rain>1', input],
  count: (input) => ['count', '--json', input],
  info: (input) => ['info', '--json', input],
  schema: (input) => ['schema', '--as', 'spec', input],
  stats: (input) => ['stats', '--json', input],
  validate: (input) => ['validate', '--json', '--schema', folder.at('spec.json'), input],
  verify: (input) => ['verify', '--json', input],
  diff: (input) => ['diff', '--json', input, FILE],
  convert: (input, out) => ['convert', '--to', 'jsonl', input, out],
  repair: (input, out) => ['repair', input, out],
  extract: (input, out) => ['extract', '--feature', 'station', '-o', out, input],
  index: (input, out) => ['index', '-o', out, '--json', input],
};

/** Facts about a file that an object does not have, or that differ from run to run. */
function comparable({ code, stdout, stderr }: CliResult, input: string, out: string): object {
  const text = `${stdout}${stderr}`.replaceAll(input, 'INPUT').replaceAll(out, 'OUT');
  return { code, text: text.replace(/it took [\d.]+ s|"seconds":[\d.]+/g, 'SECONDS') };
}

/** The page's end of the channel of a viewer. */
async function socketPort(address: string): Promise<Port> {
  const { host, pathname, origin } = new URL(address);
  const socket = new WebSocket(`ws://${host}${pathname}channel`, { headers: { Origin: origin } });
  await once(socket, 'open');
  return {
    post: (message) => socket.send(JSON.stringify(message)),
    onMessage: (listener) => socket.on('message', (data: Buffer) => listener(unpackFrame(new Uint8Array(data).buffer))),
    onClose: (listener) => socket.once('close', listener),
    close: () => socket.close(),
  };
}

interface Place {
  /** The URL of the file, and one of an object that is missing. */
  readonly url: string;
  readonly missing: string;
  readonly env: Record<string, string>;
  stop(): Promise<void>;
}

const PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  async http() {
    const server = await ObjectServer.start({ '/weather.tfrecord.gz': readFileSync(FILE) });
    const [url, missing] = [server.url('/weather.tfrecord.gz?signature=a'), server.url('/none')];
    return { url, missing, env: {}, stop: () => server.close() };
  },
  async s3() {
    const served = await serveStore('s3rver');
    await uploadObject(served.store, served.url('weather.tfrecord.gz'), readFileSync(FILE));
    const [url, missing] = [served.url('weather.tfrecord.gz'), served.url('none')];
    return { url, missing, env: environmentOf('s3rver', served), stop: () => served.server.stop() };
  },
};

for (const [name, start] of Object.entries(PLACES)) {
  describeWith(...(name === 's3' ? (['clients', 's3rver'] as const) : []))(name, () => {
    let place: Place;
    let outputs = 0;
    beforeAll(async () => {
      place = await start();
      const spec = await runCli(['schema', '--as', 'spec', FILE]);
      folder.put('spec.json', spec.stdout);
    });
    afterAll(() => place.stop());

    const outcome = async (command: string, input: string): Promise<object> => {
      const out = folder.at(`out-${name}-${outputs++}`);
      const result = await runCli(COMMANDS[command]!(input, out), { env: place.env });
      // Messages show no query.
      return comparable(
        { ...result, stdout: result.stdout.replaceAll(input, input.replace(/\?.*/, '')) },
        input.replace(/\?.*/, ''),
        out,
      );
    };

    test.each(Object.keys(COMMANDS))('%s', async (command) => {
      const expected = await outcome(command, FILE);
      expect(await outcome(command, place.url)).toEqual(expected);
      expect(expected).toMatchObject({ code: 0 });
    });

    test('an object that is missing ends with exit code 1, and a message that names it', async () => {
      for (const command of ['view', 'count', 'get']) {
        const { code, stderr } = await runCli([command, place.missing, ...(command === 'get' ? ['0'] : [])], {
          env: place.env,
        });
        expect([command, code, stderr]).toEqual([command, 1, expect.stringContaining(place.missing)]);
      }
    });

    test('sql reads no URL, but the Parquet file that convert makes of one', async () => {
      const run = (...args: string[]): Promise<CliResult> => runCli(args, { env: place.env });
      const query = (from: string): string => `SELECT station, temperature, wind FROM ${from}`;
      const parquet = folder.at(`${name}.parquet`);
      const refused = await run('sql', query(`read_tfrecord('${place.url}')`));
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('tfrecord convert URL a.parquet')]);
      expect(await run('convert', place.url, parquet)).toMatchObject({ code: 0 });
      const expected = await run('sql', '--json', query(`read_tfrecord('${FILE}')`));
      expect(expected).toMatchObject({ code: 0, stdout: expect.stringContaining('ST-01') });
      expect(await run('sql', '--json', query(`read_parquet('${parquet}')`))).toEqual(expected);
    });

    test('view serves the first records within a second, and ends by Ctrl-C', async () => {
      const child = startCli(['view', place.url], { env: place.env });
      try {
        const result = cliResult(child);
        const address = await new Promise<string>((resolve) => {
          child.stdout!.on('data', (text: string) => resolve(text.trim()));
        });
        const begun = performance.now();
        const client = new Client(await socketPort(address));
        const batches: unknown[] = [];
        await client.ask('rows', { file: 0, records: [0, 1, 2] }, { onBatch: (batch) => void batches.push(batch) });
        expect(performance.now() - begun).toBeLessThan(1_000);
        expect(JSON.stringify(batches)).toContain('ST-01');
        child.kill('SIGINT');
        expect(await result).toMatchObject({ code: 130, stderr: expect.not.stringContaining('error') });
      } finally {
        child.kill('SIGKILL');
      }
    });
  });
}
