/** The curves of `tfrecord view` in a browser: live, by the keyboard, hidden runs, downloads, and names as text. */
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

import { fileVersion, scalar } from '../../support/records/event-logs';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { closeBrowser, describeWithBrowser, openPage, Served, type Watched } from '../../support/view/browser';

const HOSTILE = '<img src=x onerror=alert(1)>';

describeWithBrowser('the curves of tfrecord view', () => {
  const folder = new Folder();
  let served: Served;
  let watched: Watched;
  let page: Page;

  beforeAll(async () => {
    for (const run of ['eval', 'train', HOSTILE.replace('/', '')]) {
      mkdirSync(folder.at(run));
      const values = Array.from({ length: 50 }, (_, step) => [
        scalar('loss', step, 50 - step),
        scalar('lr', step, 0.5),
        scalar(HOSTILE, step, 1),
      ]);
      folder.put(`${run}/events.out.tfevents.1`, tfrecord([fileVersion(), ...values.flat()]));
    }
    served = await Served.start([folder.path]);
    watched = await openPage(served.address, { acceptDownloads: true });
    ({ page } = watched);
  });
  afterAll(async () => {
    await closeBrowser();
    expect(await served.interrupt()).toBe(130);
    folder.remove();
  });

  const loss = () => page.getByRole('region', { name: 'loss', exact: true });
  const chart = () => loss().getByRole('img');

  it('opens with the charts of all tags, and the runs as their legend', async () => {
    await loss().locator('canvas').waitFor();
    expect(await page.locator('.chart h3').allInnerTexts()).toEqual([HOSTILE, 'loss', 'lr']);
    expect((await page.locator('.runs .name').allInnerTexts()).sort()).toEqual([HOSTILE, 'eval', 'train']);
    await page.getByText('3 runs, 3 tags, 450 values').waitFor();
  });

  it('shows a value soon after it was written', async () => {
    appendFileSync(folder.at('train/events.out.tfevents.1'), tfrecord([scalar('loss', 50, -7)]));
    await page.getByText('3 runs, 3 tags, 451 values').waitFor();
    await page.getByRole('img', { name: /^Curves of loss, step 0 to step 50: .*train ends at -7/ }).waitFor();
  });

  it('hides a run in all charts', async () => {
    await page.getByRole('checkbox', { name: /^eval/ }).uncheck();
    await page.getByRole('checkbox', { name: /img/ }).uncheck();
    await page.getByRole('img', { name: 'Curves of loss, step 0 to step 50: train ends at -7.' }).waitFor();
  });

  it('reads values, zooms and changes axes by the keyboard', async () => {
    await page.getByRole('slider', { name: 'Smoothing' }).fill('0');
    await chart().focus();
    await page.keyboard.press('End');
    await loss().getByText('step 50').waitFor();
    await page.keyboard.press('ArrowLeft');
    await loss().getByText('step 49').waitFor();
    expect(await loss().locator('.readout b').innerText()).toBe('1');
    await page.keyboard.press('+');
    await page.getByRole('img', { name: /^Curves of loss, step 36\.5 to step 61\.5/ }).waitFor();
    await page.keyboard.press('0');
    await page.getByRole('img', { name: /^Curves of loss, step 0 to step 50/ }).waitFor();
    await page.getByRole('combobox', { name: 'X axis' }).selectOption('relative');
    await page.getByRole('img', { name: /^Curves of loss, after 0 s to after 50 s/ }).waitFor();
    await page.getByRole('checkbox', { name: 'Log x' }).check();
    await page.getByRole('img', { name: /^Curves of loss, after 1 s to after 50 s/ }).waitFor();
    await page.getByRole('checkbox', { name: 'Log x' }).uncheck();
  });

  it('filters tags by text', async () => {
    await chart().focus();
    await page.keyboard.press('/');
    await page.keyboard.type('LOS');
    await page.waitForFunction(() => document.querySelectorAll('.chart').length === 1);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelectorAll('.chart').length === 3);
  });

  it('downloads the visible runs as CSV and SVG', async () => {
    let download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download loss as CSV' }).click();
    expect((await download).suggestedFilename()).toBe('loss.csv');
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      52,
      'run,tag,step,wall_time,value',
      'train,loss,50,1700000050.25,-7.0',
    ]);
    download = page.waitForEvent('download');
    await page.getByRole('button', { name: `Download ${HOSTILE} as SVG` }).click();
    const svg = readFileSync(await (await download).path(), 'utf8');
    expect(svg).toContain('<title>&#60;img src=x onerror=alert(1)&#62;</title>');
    expect(svg).not.toContain('<img');
  });

  it.each(['light', 'dark'] as const)('has nothing that axe objects to, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- a script for the page
    const { source } = require('axe-core') as { source: string };
    await page.evaluate(source);
    const violations = await page.evaluate(async () => {
      const { violations: all } = await (
        globalThis as unknown as {
          axe: { run: () => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
        }
      ).axe.run();
      return all.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html}`);
    });
    expect(violations).toEqual([]);
  });

  it('asks nobody else for anything, and breaks no rule of its policy', () => {
    expect(watched.complaints).toEqual([]);
  });
});
