/** The page in the window of an app, which a browser stands for: files are dropped and added, and the host ends. */
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';

import { encodeExample, int64 } from '../../../lib';
import { Host } from '../../../lib/view';
import { Client } from '../../../lib/view/protocol';
import { PageServer } from '../../../lib/view/server';
import { Folder } from '../../support/records/record-files';
import { ROOT } from '../../support/running/compiled-sources';
import { closeBrowser, describeWithBrowser, openPage, type Watched } from '../../support/view/browser';
import { portOf } from '../../support/view/host-client';

/** Stands for Electron's preload script: its port leads to the channel of the server. */
function preload(): void {
  const calls: unknown[] = [];
  const early: string[] = [];
  // As `unpackFrame`, because the page has none of our modules.
  const unpack = (frame: ArrayBuffer): unknown => {
    const length = new DataView(frame).getUint32(0, true);
    let at = 4 + length;
    return JSON.parse(new TextDecoder().decode(new Uint8Array(frame, 4, length)), (_, value: unknown) => {
      if (typeof value !== 'object' || value === null || !('$bytes' in value)) return value;
      const bytes = new Uint8Array(frame, at, value.$bytes as number);
      at += bytes.length;
      return bytes;
    });
  };
  Object.assign(window, {
    calls,
    tfrecordViewer: {
      connect: () => {
        const { port1, port2 } = new window.MessageChannel();
        const socket = new WebSocket(new URL('channel', location.href.replace('http', 'ws')));
        socket.binaryType = 'arraybuffer';
        socket.onopen = () => early.splice(0).forEach((text) => socket.send(text));
        socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => port1.postMessage(unpack(data));
        port1.onmessage = ({ data }) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(data));
          else early.push(JSON.stringify(data));
        };
        window.addEventListener('message', ({ ports: [port] }) => {
          // Electron has this event, and a browser alone has not.
          socket.onclose = () => port!.dispatchEvent(new Event('close'));
        });
        window.postMessage('tfrecord-viewer-port', '*', [port2]);
      },
      open: (what: string) => calls.push(what),
      add: (files: readonly File[]) => calls.push(files.map(({ name }) => name)),
      onAdded: (listener: unknown) => Object.assign(window, { added: listener }),
    },
  });
}

describeWithBrowser('the page in an app', () => {
  const folder = new Folder();
  const host = new Host([]);
  const server = new PageServer(host, join(ROOT, 'dist', 'view', 'page'));
  const { port1, port2 } = new MessageChannel();
  let watched: Watched;

  beforeAll(async () => {
    host.serve(portOf(port1), { mayAdd: true });
    await server.listen(0);
    watched = await openPage(server.address, {}, preload);
  });
  afterAll(async () => {
    await closeBrowser();
    await server.close();
    await host.close();
    port1.close();
    folder.remove();
  });

  it('asks for files, shows those that are added, and says when the host has ended', async () => {
    const { page, complaints } = watched;
    const client = new Client(portOf(port2));
    await page.getByText('Drop TFRecord files or folders here').waitFor();
    // There is nothing to export or to describe yet.
    await page.keyboard.press('e');
    await page.keyboard.press('4');
    await page.getByRole('button', { name: 'Open files…' }).click();
    await page.getByRole('button', { name: 'Open a folder…' }).click();
    const kept = await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([], 'a.tfrecord'));
      const send = (name: string): boolean =>
        document.body.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
      return [send('dragover'), send('drop')];
    });
    // The browser does not open what was dropped.
    expect(kept).toEqual([false, false]);
    expect(await page.evaluate('calls')).toEqual(['files', 'folder', ['a.tfrecord']]);

    const add = async (name: string, id: number): Promise<void> => {
      const path = folder.write(name, [encodeExample({ id: int64(id) })]);
      const { files } = await client.ask('add', { paths: [path] });
      await page.evaluate(`added(${JSON.stringify(files)})`);
    };
    await add('a.tfrecord', 17);
    await page.getByText('1 feature of 1 record').waitFor();
    expect(await page.locator('dialog').count()).toBe(0);
    await page.keyboard.press('1');
    await page.getByText('id 17').waitFor();
    await add('b.tfrecord', 18);
    await page.getByText('id 18').waitFor();
    expect(await page.locator('.files button[aria-current]').innerText()).toMatch(/^b\.tfrecord/);
    expect(complaints).toEqual([]);

    await server.close();
    await page.getByText('The program that reads the files has ended.').waitFor();
  });
});
