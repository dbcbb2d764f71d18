/** The package in every process of Electron that has Node, in a folder and in archives. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from 'playwright-core';

import { encodeExample, int64, writeRecords } from '../../lib';
import { Folder } from '../support/records/record-files';
import { Display } from './support/display';
import { InstalledApp, type Asar } from './support/installed-app';
import { launch } from './support/running-app';

const APP = join(__dirname, 'app');
/** Functions of the test app's main process. */
interface App {
  readonly places: Record<string, (folder: string, name: string) => Promise<unknown>>;
  readonly ends: Record<string, (file: string) => Promise<void>>;
}

const folder = new Folder();
let display: Display;
beforeAll(async () => {
  display = await Display.start();
});
afterAll(async () => {
  await display.close();
  folder.remove();
});

/** The result of `work`, computed from the records that it writes: number i has the id i, the score i / 4, and two tags. */
const EXPECTED = {
  read: 5000,
  sums: ['12497500', 3124375, 10000],
  first: '{"id":[0],"score":[0.0],"tags":["t0","all"]}',
  blob: 5000,
  damage: { code: 'TFR_CORRUPT_DATA', record: 4999 },
};

const work = (electron: ElectronApplication, place: string, name = place): Promise<unknown> =>
  electron.evaluate(
    (_electron, [where, ...args]) => (globalThis as unknown as App).places[where!]!(args[0]!, args[1]!),
    [place, folder.path, name],
  );
const end = (electron: ElectronApplication, way: string, file: string): Promise<unknown> =>
  electron.evaluate((_electron, [which, of]) => (globalThis as unknown as App).ends[which!]!(of!), [way, file]);

describe('in a folder', () => {
  let app: InstalledApp;
  let electron: ElectronApplication;
  beforeAll(async () => {
    app = new InstalledApp(APP);
    electron = await launch(app, display);
  });
  afterAll(async () => {
    await electron?.close();
    app.remove();
  });

  it('is an Electron, not a Node', async () => {
    const versions = await electron.evaluate(({ app: itself }) => [process.versions.electron, itself.isPackaged]);
    expect(versions).toEqual(['25.1.1', true]);
  });

  it.each(['main', 'thread', 'utility', 'preload', 'renderer', 'webWorker'])(
    'writes, reads, parses and converts: %s',
    async (place) => {
      expect(await work(electron, place)).toMatchObject(EXPECTED);
      // All wrote the same bytes.
      expect(readFileSync(folder.at(`${place}.tfrecord.gz`)).equals(readFileSync(folder.at('main.tfrecord.gz')))).toBe(
        true,
      );
    },
  );

  it.each(['utilityKilled', 'windowReloaded', 'windowCrashed', 'windowDestroyed'])(
    'goes on after a process that was reading: %s',
    async (way) => {
      const file = folder.at('forever.tfrecord.gz');
      await writeRecords(
        file,
        Array.from({ length: 20_000 }, (_, i) => encodeExample({ id: int64(i) })),
      );
      await end(electron, way, file);
      for (const place of ['utility', 'renderer']) {
        expect(await work(electron, place, `after-${way}-${place}`)).toMatchObject(EXPECTED);
      }
    },
  );
});

describe.each<Asar>(['unpacked', 'packed'])('in an archive, the addon %s', (asar) => {
  let app: InstalledApp;
  let electron: ElectronApplication;
  beforeAll(async () => {
    app = new InstalledApp(APP, { asar });
    electron = await launch(app, display);
  });
  afterAll(async () => {
    await electron?.close();
    app.remove();
  });

  it('loads the addon from beside the archive, if it is there', async () => {
    await work(electron, 'main', `${asar}-loaded`);
    const maps = readFileSync(`/proc/${electron.process().pid!}/maps`, 'utf8');
    expect(/app\.asar\.unpacked\/.*\/tfrecord\.node$/m.test(maps)).toBe(asar === 'unpacked');
  });

  it.each(['main', 'thread', 'utility', 'renderer'])('writes, reads, parses and converts: %s', async (place) => {
    expect(await work(electron, place, `${asar}-${place}`)).toMatchObject(EXPECTED);
  });
});
