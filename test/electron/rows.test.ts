/** examples/electron-rows, as an ordinary user starts it. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { encodeExample, float, int64 } from '../../lib';
import { Folder } from '../support/records/record-files';
import { tfrecord } from '../support/records/tfrecord';
import { ROOT } from '../support/running/compiled-sources';
import { Display } from './support/display';
import { InstalledApp } from './support/installed-app';
import { SandboxedApp } from './support/running-app';
import { screenshot } from './support/screenshots';

const folder = new Folder({ others: true });
chmodSync(folder.path, 0o755);
let display: Display;
let app: InstalledApp;
beforeAll(async () => {
  display = await Display.start();
  app = new InstalledApp(join(ROOT, 'examples', 'electron-rows'));
});
afterAll(async () => {
  app.remove();
  await display.close();
  folder.remove();
});

/** Starts the example with `file`. Calls `test` with its page. */
async function showing(file: string, test: (page: SandboxedApp['page']) => Promise<void>): Promise<void> {
  const running = await SandboxedApp.start(app, display, [file]);
  try {
    await test(running.page);
  } finally {
    await running.close();
  }
}

it('shows the rows of a file, 100 at a time', async () => {
  await showing(join(ROOT, 'examples', 'data', 'weather.tfrecord.gz'), async (page) => {
    await page.getByText('100 of 200 records').waitFor();
    const heads = await page.locator('th').allInnerTexts();
    expect(heads).toEqual(expect.arrayContaining(['record', 'station', 'elevation', 'temperature']));
    const first = await page.locator('tbody tr').first().locator('td').allInnerTexts();
    expect(first[heads.indexOf('record')]).toBe('0');
    expect(first[heads.indexOf('station')]).toBe('ST-01');
    expect(first[heads.indexOf('elevation')]).toBe('4');
    // int64 are exact.
    expect(first[heads.indexOf('received')]).toMatch(/^1709251200\d{9}$/);
    await screenshot(page, 'electron-rows.png');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByText('200 of 200 records').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(200);
    expect(await page.locator('tbody tr td:first-child').allInnerTexts()).toEqual(
      Array.from({ length: 200 }, (_, i) => String(i)),
    );
    expect(await page.getByRole('button', { name: 'More' }).isDisabled()).toBe(true);
    expect(await page.evaluate('typeof require')).toBe('undefined');
  });
});

it('gives a feature that comes later a column, and keeps bytes and markup out of the page', async () => {
  const file = folder.write('odd.tfrecord', [
    encodeExample({ id: int64(1n), text: ['<b>bold</b>'] }),
    encodeExample({ picture: [new Uint8Array([0xff, 0xd8, 0xff])], id: int64([2n, 3n]) }),
    encodeExample({ score: float([NaN, 0.5]) }),
  ]);
  await showing(file, async (page) => {
    await page.getByText('3 of 3 records').waitFor();
    expect(await page.locator('th').allInnerTexts()).toEqual(['record', 'id', 'text', 'picture', 'score']);
    expect(await page.locator('tbody tr').allInnerTexts()).toEqual([
      '0\t1\t<b>bold</b>',
      '1\t2,3\t\t(bytes)',
      '2\t\t\t\tNaN,0.5',
    ]);
  });
});

it('says what is wrong with a file', async () => {
  const file = folder.at('cut.tfrecord');
  writeFileSync(file, tfrecord([encodeExample({ id: int64(1n) })]).subarray(0, 20));
  await showing(file, async (page) => {
    await page
      .getByText(/ends within|truncated|cut/i)
      .first()
      .waitFor();
    expect(await page.locator('output').innerText()).toContain('cut.tfrecord');
  });
});
