/** examples/electron, TFRecord Viewer, unchanged. */
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from 'playwright-core';

import { encodeExample, int64 } from '../../lib';
import { Folder } from '../support/records/record-files';
import { flipBit, HEADER_BYTES, tfrecord } from '../support/records/tfrecord';
import { ROOT } from '../support/running/compiled-sources';
import { sceneExample } from '../support/view/scenes';
import { Display } from './support/display';
import { InstalledApp } from './support/installed-app';
import { launch, SandboxedApp } from './support/running-app';
import { screenshot } from './support/screenshots';

const folder = new Folder({ others: true });
chmodSync(folder.path, 0o755);
let display: Display;
let app: InstalledApp;
let scenes: string;
let dropped: string;
beforeAll(async () => {
  display = await Display.start();
  app = new InstalledApp(join(ROOT, 'examples', 'electron'), { duckdb: true });
  const examples = Array.from({ length: 24 }, (_, i) => sceneExample(i, 160, 120));
  scenes = folder.put('scenes.tfrecord', flipBit(tfrecord(examples), HEADER_BYTES + 5000));
  dropped = folder.write(
    'dropped.tfrecord.gz',
    Array.from({ length: 300 }, (_, id) => encodeExample({ id: int64(id) })),
  );
});
afterAll(async () => {
  app.remove();
  await display.close();
  folder.remove();
});

/** Resolves when the element has a text that matches. */
const shown = (page: Page, selector: string, wanted: RegExp): Promise<void> =>
  page.locator(selector).filter({ hasText: wanted }).first().waitFor();

/** Drops the file `path` on the page, as a user does. */
async function drop(page: Page, path: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 400, y: 400, data });
  }
  await devtools.detach();
}

describe('as an ordinary user, in the sandbox', () => {
  let running: SandboxedApp;
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    running = await SandboxedApp.start(app, display, [scenes]);
    ({ page } = running);
    page.on('console', (message) => {
      if (message.type() !== 'log') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
  });
  afterAll(() => running?.close());

  it('runs in the sandbox of Chromium', () => {
    expect(running.processes[0]!.command).not.toContain('--no-sandbox');
    const renderers = running.processes.filter(({ command }) => command.includes('--type=renderer'));
    expect(renderers.length).toBeGreaterThan(0);
    for (const { status } of renderers) {
      // A filter of system calls, and a namespace of processes of its own.
      expect(status).toMatch(/^Seccomp:\t2$/m);
      expect(status).toMatch(/^NSpid:\t\d+\t\d+/m);
    }
    expect(running.processes.filter(({ command }) => command.includes('--utility-sub-type=node'))).toHaveLength(1);
  });

  it('gives the page its four calls, and nothing of Node', async () => {
    expect(page.url()).toBe('tfrecord-viewer://page/');
    expect(
      await page.evaluate('[typeof require, typeof process, Object.keys(window.tfrecordViewer).sort().join()]'),
    ).toEqual(['undefined', 'undefined', 'add,connect,onAdded,open']);
  });

  it('shows all five views', async () => {
    await shown(page, '.known', /^24 records/);
    await page.waitForFunction(() => document.querySelectorAll('.thumb img').length > 5);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('2');
    await shown(page, '.record h2', /^Record 1$/);
    await page.waitForSelector('.record[aria-busy=false] .main-picture img');
    await screenshot(page, 'electron-viewer.png');
    await page.keyboard.press('Escape');
    await page.keyboard.press('3');
    await page.waitForFunction(() => document.querySelectorAll('.pictures .card img').length >= 8);
    await page.keyboard.press('4');
    await shown(page, '.statistics', /features of/);
    await page.waitForSelector('.histogram canvas');
    await page.keyboard.press('5');
    await shown(page, '.damage', /1 fault/);
    await page.keyboard.press('1');
  });

  it('opens a file that is dropped', async () => {
    await drop(page, dropped);
    await shown(page, '.files', /dropped/);
    await shown(page, '.known', /^300 records/);
    await shown(page, '.entry', /id 0/);
    expect(complaints).toEqual([]);
  });
});

describe('with its main process in hand', () => {
  let electron: ElectronApplication;
  let page: Page;
  beforeAll(async () => {
    electron = await launch(app, display, [dropped]);
    page = await electron.firstWindow();
    await shown(page, '.known', /^300 records/);
  });
  afterAll(() => electron?.close());

  it('exports what a filter finds to the file that the user names', async () => {
    const path = folder.at('exported.jsonl');
    // Stands for the user in the dialog that asks where to save, and tells when the file is whole.
    const saved = electron.evaluate(
      ({ session }, to) =>
        new Promise<string>((resolve) => {
          session.defaultSession.once('will-download', (_event, item) => {
            const { title, defaultPath } = item.getSaveDialogOptions();
            item.setSavePath(to);
            item.once('done', (_done, state) => resolve(`${title}: ${defaultPath} ${state}`));
          });
        }),
      path,
    );
    await page.keyboard.press('/');
    await page.keyboard.type('id<3');
    await page.keyboard.press('Enter');
    await shown(page, '.known', /^3 records found/);
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Export' }).last().click();
    expect(await saved).toBe('Export: dropped-found.jsonl completed');
    expect(readFileSync(path, 'utf8')).toBe([0, 1, 2].map((id) => `{"features":{"id":[${id}]}}\n`).join(''));
    await page.keyboard.press('Escape');
  });

  it('reads the files again after its utility process was killed', async () => {
    const asked = electron.evaluate(({ app: itself, dialog }) => {
      const { pid } = itself.getAppMetrics().find(({ name }) => name === 'TFRecord reader')!;
      return new Promise<string>((resolve) => {
        dialog.showMessageBox = async (options: unknown) => {
          const { message, detail } = options as { message: string; detail: string };
          resolve(`${message} ${detail}`);
          return { response: 0, checkboxChecked: false };
        };
        process.kill(pid, 'SIGKILL');
      });
    });
    expect(await asked).toMatch(/^The process that reads the files has ended\. Its exit code was \d+\./);
    await shown(page, '.known', /^300 records/);
    await shown(page, '.entry', /id 0/);
  });
});
