/** The page of `tfrecord view` in a browser: what it shows, by the keyboard alone, and that it asks nobody else. */
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

import { encodeExample, Event, float, int64, readRecords } from '../../../lib';
import { Folder } from '../../support/records/record-files';
import { flipBit, HEADER_BYTES, tfrecord } from '../../support/records/tfrecord';
import { ROOT } from '../../support/running/compiled-sources';
import { closeBrowser, describeWithBrowser, openPage, Served, type Watched } from '../../support/view/browser';
import { sceneExample, tone } from '../../support/view/scenes';

/** More records than a browser scrolls rows of. */
const MANY = 190_000;

/** Runs in the page, and counts the blobs that have an address. */
function countBlobs(): void {
  const make = URL.createObjectURL.bind(URL);
  const counted = globalThis as unknown as { blobs: number };
  counted.blobs = 0;
  URL.createObjectURL = (blob) => {
    counted.blobs++;
    return make(blob);
  };
}

describeWithBrowser('the page of tfrecord view', () => {
  const folder = new Folder();
  let served: Served;
  let watched: Watched;
  let page: Page;

  beforeAll(async () => {
    const scenes = Array.from({ length: 24 }, (_, i) => sceneExample(i, 160, 120));
    folder.put('scenes.tfrecord', flipBit(tfrecord(scenes), HEADER_BYTES + 5000));
    const many = Array.from({ length: MANY }, (_, id) =>
      encodeExample({ id: int64(id), score: float(Math.sin(id)), name: [`n${id % 7}`] }),
    );
    folder.write('many.tfrecord.gz', many);
    folder.write('other.tfrecord', [
      encodeExample({ sound: [tone(440, 0.5)], course: float(Array.from({ length: 100 }, (_, i) => Math.cos(i / 9))) }),
      Buffer.from('\0neither this nor that'),
    ]);
    folder.write('grows.tfrecord', [encodeExample({ id: int64(0) })]);
    served = await Served.start(
      ['many.tfrecord.gz', 'scenes.tfrecord', 'other.tfrecord', 'grows.tfrecord'].map((name) => folder.at(name)),
    );
    watched = await openPage(served.address, { acceptDownloads: true }, countBlobs);
    ({ page } = watched);
  });
  afterAll(async () => {
    await closeBrowser();
    expect(await served.interrupt()).toBe(130);
    folder.remove();
  });

  const text = (selector: string): Promise<string> => page.innerText(selector);
  const shown = (wanted: string | RegExp, selector = 'main'): Promise<unknown> =>
    page.waitForFunction(
      ([where, source]) => new RegExp(source!).test(document.querySelector<HTMLElement>(where!)?.innerText ?? ''),
      [selector, typeof wanted === 'string' ? wanted.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&') : wanted.source],
    );
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };

  it('shows records at once, and any of them soon, to whoever has a keyboard only', async () => {
    await shown('scene', '.files');
    await page.waitForSelector('.entry .cell');
    expect(await text('.entry.active')).toMatch(/^0\s+id 0\s*name n0/);
    await shown(`${MANY.toLocaleString('en')} records`);
    await press('End');
    await shown('189,999', '.entry.active');
    await shown(/name n\d/, '.entry.active');
    await press('ArrowUp', 'ArrowUp');
    await shown('189,997', '.entry.active');
    await press('g');
    await page.keyboard.type('123456');
    await press('Enter');
    await shown(/123,456\s+id 123456/, '.entry.active');
    // The active entry is on the screen, and the lines around it are those of its neighbours.
    const numbers = (await page.locator('.entry .number').allInnerTexts()).map((each) =>
      Number(each.replace(/,/g, '')),
    );
    expect(numbers).toEqual(numbers.map((_, i) => numbers[0]! + i));
    await press('PageUp', 'Enter');
    await shown(/^Record 123,4\d\d/, '.record h2');
    await press('ArrowRight', 'Escape');
    await page.waitForSelector('.entry.active');
  });

  it('scrolls by the wheel and by the bar without losing a record', async () => {
    await press('Home');
    await page.mouse.move(700, 400);
    await page.mouse.wheel(0, 44 * 1000);
    await shown(/\n1,00\d\n/, '.lines');
    await page.locator('.long-list').evaluate((list) => (list.scrollTop = list.scrollHeight / 2));
    await shown(/\n95,00\d\n/, '.lines');
    await shown(/id 95\d\d\d/, '.lines');
  });

  it('filters, marks and exports', async () => {
    await press('/');
    await page.keyboard.type('name=n3 && id<100');
    await press('Enter');
    await shown('14 records found');
    expect(await text('.entry.active')).toMatch(/^3\s/);
    await press('Space', 'ArrowDown', 'Space');
    await shown('2 marked');
    await press('e');
    const download = page.waitForEvent('download');
    await press('Tab', 'Tab', 'Tab', 'Enter');
    const file = await download;
    expect(file.suggestedFilename()).toBe('many-marked.jsonl');
    expect(readFileSync(await file.path(), 'utf8')).toBe(
      '{"features":{"id":[3],"name":["n3"],"score":[0.14112]}}\n{"features":{"id":[10],"name":["n3"],"score":[-0.5440211]}}\n',
    );
    await shown('2 records', 'dialog');
    await page.getByRole('radio', { name: /^Records that match/ }).check();
    await page.getByRole('radio', { name: /^TFRecord/ }).check();
    const again = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).last().click();
    const records = [];
    for await (const record of readRecords(await (await again).path())) records.push(record);
    expect(records).toHaveLength(14);
    await press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    // From one record to another one by its number, of all records.
    await press('2', 'g');
    await page.keyboard.type('17');
    await press('Enter');
    await shown(/^Record 17$/, '.record h2');
    expect(await page.inputValue('.filter input')).toBe('');
    await press('1', 'g', 'Backspace', 'Enter');
    await shown(/^17\s/, '.entry.active');
    await press('/');
    await page.keyboard.type('name=n3 && =');
    await press('Enter');
    await shown('It begins with the name of a feature');
    await press('/', 'Escape');
    await shown(`${MANY.toLocaleString('en')} records`);
  });

  it('says that there is no record of a number, and what it shows instead', async () => {
    await press('1', 'g');
    await page.keyboard.type('999999999');
    await press('Enter');
    await shown('there is no record 999,999,999: the last one is 189,999; 190,000 records', '.known');
    await shown('189,999', '.entry.active');
    await press('g', ...'7', 'Enter');
    await shown(/^190,000 records/, '.known');
    await shown(/^7\s/, '.entry.active');
  });

  it('shows what is wrong with a condition in full', async () => {
    await page.setViewportSize({ width: 760, height: 800 });
    await press('/');
    await page.keyboard.type('name=n3 && =');
    await press('Enter');
    await page.waitForSelector('.known.problem');
    const { said, title, clipped } = await page.locator('.known').evaluate((known) => ({
      said: known.textContent,
      title: (known as HTMLElement).title,
      clipped: getComputedStyle(known).overflow === 'hidden' || known.scrollWidth > known.clientWidth + 1,
    }));
    expect(said).toMatch(/It begins with the name of a feature.*\.$/);
    expect([title, clipped]).toEqual([said, false]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await press('/', 'Escape');
    await shown(/^190,000 records/, '.known');
  });

  it('obeys keys that come faster than the screen is drawn', async () => {
    const states = await page.evaluate(async () => {
      // A task comes sooner than the next frame.
      const task = (): Promise<unknown> =>
        new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = resolve;
          port2.postMessage(null);
        });
      const key = (name: string): Promise<unknown> => {
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }),
        );
        return task();
      };
      const focused = (): string => document.activeElement?.className ?? '';
      const seen: unknown[] = [];
      await key('e');
      seen.push(
        document.querySelector('dialog')?.open,
        document.querySelector('dialog')?.contains(document.activeElement),
      );
      document.querySelector('dialog')?.close();
      const end = performance.now() + 5000;
      while (performance.now() < end && document.querySelector('dialog') !== null) await task();
      seen.push(focused());
      await key('/');
      seen.push(document.activeElement?.getAttribute('type'));
      await key('Escape');
      seen.push(focused());
      await key('2');
      seen.push(focused());
      await key('1');
      seen.push(focused());
      return seen;
    });
    expect(states).toEqual([true, true, 'long-list', 'search', 'long-list', 'record', 'long-list']);
  });

  it('draws pictures with their boxes and masks', async () => {
    await press(']', '3');
    await page.waitForFunction(() => document.querySelectorAll<HTMLImageElement>('.pictures .card img').length >= 8);
    await press('ArrowRight', 'ArrowDown', 'Enter');
    await page.waitForSelector('.main-picture img');
    const sizes = await page.locator('.main-picture img').evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    });
    expect(sizes).toEqual([160, 120]);
    expect(await page.locator('.main-picture svg rect').count()).toBeGreaterThanOrEqual(4);
    await page.waitForFunction(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.main-picture canvas');
      const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      return data.some((value, i) => i % 4 === 3 && value > 0);
    });
    await press('Escape');
    await page.waitForSelector('.pictures .entry.active');
    await press('[', '1', 'g');
    await page.keyboard.type('100000');
    await press('Enter', '3');
    await shown('100,000', '.pictures .entry.active');
    await press('1', ']');
  });

  it('fetches each picture once', async () => {
    const blobs = (): Promise<number> => page.evaluate('blobs');
    await press('1', 'End');
    await shown(/^23\s/, '.entry.active');
    await page.waitForFunction(() => document.querySelectorAll('.thumb img').length > 5);
    await page.waitForTimeout(300);
    await press('Home', 'ArrowDown', '2');
    await page.waitForSelector('.main-picture img');
    const before = await blobs();
    await press('ArrowRight');
    await shown(/^Record 2$/, '.record h2');
    await page.waitForSelector('.record[aria-busy=false] .main-picture img');
    await page.waitForTimeout(300);
    // In the list, it was fetched already; the pictures of the closed features are not shown.
    expect((await blobs()) - before).toBeLessThanOrEqual(1);
    await press('Escape');
  });

  it('describes values, with histograms', async () => {
    await press('[', '4');
    await shown('3 features of 190,000 records');
    await page.waitForSelector('.histogram canvas');
    expect(await page.getByRole('img', { name: /^Histogram of id from 0 to 189,999/ }).count()).toBe(1);
    await shown(/n0\s+27,143/, '.statistics');
  });

  it('maps damage, and leads to the record', async () => {
    await press(']', '5');
    await shown('1 fault', '.damage');
    expect(await page.locator('.map .damaged').count()).toBe(1);
    await page.locator('.faults button').focus();
    await press('Enter');
    await shown(/Data checksum mismatch/, '.entry.active');
  });

  it('plays sound, shows the course of numbers and bytes', async () => {
    await press(']', '2');
    await page.waitForSelector('audio');
    const seconds = await page.locator('audio').evaluate(async (audio: HTMLAudioElement) => {
      if (audio.readyState === 0) await new Promise((resolve) => audio.addEventListener('loadedmetadata', resolve));
      return audio.duration;
    });
    expect(seconds).toBeCloseTo(0.5);
    expect(await page.locator('.sparkline').count()).toBe(1);
    await press('ArrowRight');
    await shown('00 6e 65 69 74 68 65 72', '.hex');
  });

  it('says that a file has changed, and reads it again', async () => {
    await press(']', '1');
    await shown('1 record', '.toolbar');
    appendFileSync(folder.at('grows.tfrecord'), tfrecord([encodeExample({ id: int64(1) })]));
    const { page: other } = await openPage(served.address);
    await other.getByRole('button', { name: /^grows/ }).click();
    await press('2');
    await shown('changed');
    await page.getByRole('button', { name: 'Read again' }).click();
    await shown('2 records', '.toolbar');
    // Another page that had the file reads it again, too.
    await other.getByText('id 1').waitFor();
    await other.close();
    await press('1', 'End');
    await shown('id 1', '.entry.active');
    await press('[');
  });

  it('tells files of one name apart, shows events by their values, and says what statistics leave out', async () => {
    const data = new Folder();
    mkdirSync(data.at('train'));
    mkdirSync(data.at('test'));
    data.write('train/part', [encodeExample({ id: int64(1) })]);
    data.write('test/part', [encodeExample({ id: int64(2) }), Buffer.from('\0neither this nor that')]);
    const event = (step: bigint, more: object): Uint8Array => Event.encode({ wallTime: 1.5, step, ...more });
    data.write('events.out.tfevents.1', [
      event(0n, { fileVersion: 'brain.Event:2' }),
      event(7n, { summary: { value: [{ tag: 'loss', nodeName: '', simpleValue: 0.25 }] } }),
    ]);
    data.put('notes.txt', Buffer.from('no records'));
    const server = await Served.start([data.path]);
    const { page: other, complaints } = await openPage(server.address);
    const has = (wanted: RegExp, selector: string): Promise<void> =>
      other.locator(selector).filter({ hasText: wanted }).first().waitFor();
    await has(/3 files/, '.files h2');
    expect(await other.locator('.files .name').allInnerTexts()).toEqual([
      'events.out.tfevents.1',
      'test/part',
      'train/part',
    ]);
    await has(/step\s*7\s*loss\s*0\.25/, '.entry');
    await has(/step\s*0\s*fileVersion\s*brain\.Event:2/, '.entry');
    await other.keyboard.press('4');
    await has(/^2 records left out: .* events of TensorBoard, which the view Records shows\.$/, '.statistics .note');
    await other.keyboard.press(']');
    await has(/^1 record left out: damaged, or not an Example or SequenceExample\.$/, '.statistics .note');
    await other.keyboard.press(']');
    await has(/1 feature of 1 record/, '.statistics h2');
    expect(await other.locator('.statistics .note').count()).toBe(0);
    expect(complaints).toEqual([]);
    await other.close();
    expect(await server.interrupt()).toBe(130);
    data.remove();
  });

  it.each(['light', 'dark'] as const)('has nothing that axe objects to, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- a script for the page
    const { source } = require('axe-core') as { source: string };
    await page.evaluate(source);
    await press('[');
    for (const key of ['1', '2', '3', '4', '5', 'e', '?']) {
      await press('Escape');
      await page.waitForSelector('dialog', { state: 'detached' });
      await press(key);
      await page.waitForTimeout(150);
      const violations = await page.evaluate(async () => {
        const { violations: all } = await (
          globalThis as unknown as {
            axe: { run: () => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
          }
        ).axe.run();
        return all.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html}`);
      });
      expect([key, violations]).toEqual([key, []]);
    }
    await press('Escape', ']');
  });

  // TFR_SCREENSHOTS=1 makes the pictures of docs/view.md anew.
  (process.env['TFR_SCREENSHOTS'] === undefined ? it.skip : it)('is pictured in docs/view.md', async () => {
    const names = ['scenes.tfrecord', 'weather.tfrecord.gz', 'damaged.tfrecord'];
    const shots = new Folder();
    const scenes = tfrecord(Array.from({ length: 48 }, (_, i) => sceneExample(i + 100)));
    shots.put('scenes.tfrecord', scenes);
    for (const at of [0.07, 0.4, 0.41]) scenes[Math.floor(scenes.length * at)]! ^= 1;
    shots.put('damaged.tfrecord', scenes.subarray(0, scenes.length - 5000));
    shots.put('weather.tfrecord.gz', readFileSync(join(ROOT, 'examples/data/weather.tfrecord.gz')));
    const server = await Served.start(names.map((name) => shots.at(name)));
    const { page: shot } = await openPage(server.address, { viewport: { width: 1100, height: 640 } });
    const take = async (view: string, keys: readonly string[], ready: string): Promise<void> => {
      for (const key of keys) await shot.keyboard.press(key);
      await shot.waitForSelector(ready);
      await shot.waitForTimeout(700);
      await shot.screenshot({ path: join(ROOT, `docs/view-${view}.png`) });
    };
    await shot.waitForSelector('.entry .cell');
    await take('records', ['ArrowDown', 'ArrowDown', 'ArrowDown'], '.thumb img');
    await take('record', ['Enter'], '.main-picture img');
    await take('pictures', ['3'], '.card img');
    await take('statistics', [']', '4'], '.histogram canvas');
    await take('damage', [']', '5'], '.faults');
    expect(await server.interrupt()).toBe(130);
    shots.remove();
  });

  it('asks nobody else for anything, breaks no rule of its policy, and takes little memory', () => {
    expect(watched.complaints).toEqual([]);
    expect(served.peak).toBeLessThan(300e6);
  });
});
