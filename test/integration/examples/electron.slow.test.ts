/**
 * examples/electron: its main process and preload script with stubs that behave as Electron's documentation says, its
 * utility process as a real process with the real host, and the page's end of the way between.
 */
import type { EventEmitter } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { countRecords } from '../../../lib';
import * as lib from '../../../lib/view';
import { Client, HostError, withStates, type Asks, type FileState, type ToPage } from '../../../lib/view/protocol';
import { connect } from '../../../lib/view/page/connect';
import type { Shell } from '../../../lib/view/page/shell';
import { Electron } from '../../support/electron/electron';
import { Renderer } from '../../support/electron/renderer';
import { Folder } from '../../support/records/record-files';
import { ROOT } from '../../support/running/compiled-sources';

const EXAMPLE = join(ROOT, 'examples', 'electron');
const WEATHER = join(ROOT, 'examples', 'data', 'weather.tfrecord');
const PAGE = 'tfrecord-viewer://page/';

const folder = new Folder();
const running: Electron[] = [];
const given = process.argv;
afterEach(async () => {
  process.argv = given;
  for (const electron of running.splice(0)) {
    electron.app.emit('will-quit');
    await Promise.all(electron.utilities.map(({ ended }) => ended));
  }
});
afterAll(() => folder.remove());

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** The app, and the page in its window. */
class App {
  readonly electron: Electron;

  constructor(paths: readonly string[] = [], isFirst = true) {
    this.electron = new Electron(isFirst);
    running.push(this.electron);
    process.argv = ['electron', '.', ...paths];
    jest.resetModules();
    jest.doMock('electron', () => this.electron.modules);
    jest.doMock('tfrecord-native/view', () => ({ ...lib, pageFolder: join(ROOT, 'dist', 'view', 'page') }), {
      virtual: true,
    });
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    require(join(EXAMPLE, 'main.js'));
  }

  /** Starts the app. Resolves with its page. */
  async start(): Promise<Page> {
    this.electron.makeReady();
    await until(() => this.contents?.renderer !== undefined);
    return this.page();
  }

  get contents() {
    return this.electron.windows.at(-1)?.webContents;
  }

  async page(): Promise<Page> {
    const { window } = this.contents!.renderer!;
    Object.assign(globalThis, { window });
    const shell = window['tfrecordViewer'] as Shell;
    return new Page(shell, new Client(await connect(shell)));
  }

  /** Clicks an entry of the menu. */
  click(label: string): void {
    const entry = this.electron.menu.flatMap(({ submenu }) => submenu ?? []).find((each) => each.label === label);
    entry!.click!();
  }

  kill(): Promise<void> {
    const { child, ended } = this.electron.utilities.at(-1)!;
    child.kill('SIGKILL');
    return ended;
  }
}

class Page {
  files: readonly FileState[] = [];
  readonly added: (readonly number[])[] = [];
  gone: Error | undefined;

  constructor(
    readonly shell: Shell,
    readonly client: Client,
  ) {
    shell.onAdded((files) => this.added.push(files));
    client
      .ask('files', {}, { onBatch: (batch) => (this.files = withStates(this.files, batch)), credits: 1 })
      .catch((error: unknown) => {
        this.gone = error as Error;
      });
  }

  get names(): string[] {
    return this.files.map(({ name }) => name);
  }

  async ask<A extends keyof Asks>(ask: A, args: Asks[A]['args']) {
    const batches: Asks[A]['batch'][] = [];
    const done = await this.client.ask(ask, args, { onBatch: (batch) => void batches.push(batch) });
    return { batches, done };
  }
}

describe('the app', () => {
  it('shows the records of a file through its ports, in compact clones', async () => {
    const app = new App([WEATHER]);
    const page = await app.start();
    await until(() => page.files.length > 0);
    expect(page.names).toEqual([WEATHER]);
    const records = await countRecords(WEATHER);
    const { batches } = await page.ask('rows', { file: 0, records: [0, 1, 2] });
    expect(batches.flat().map(({ record, kind }) => [record, kind])).toEqual([
      [0, 'Example'],
      [1, 'Example'],
      [2, 'Example'],
    ]);
    const { done } = await page.ask('record', { file: 0, record: 1 });
    expect(done.context.length).toBeGreaterThan(1);
    await until(() => page.files[0]!.complete);
    expect(page.files[0]!.records).toBe(records);

    const [utility] = app.electron.utilities;
    const before = utility!.cloned;
    const exported = await page.ask('export', {
      file: 0,
      selection: { ranges: null, conditions: [] },
      format: 'tfrecord',
    });
    const bytes = Buffer.concat(exported.batches);
    expect(bytes.equals(readFileSync(WEATHER))).toBe(true);
    // A clone of a view takes the whole buffer behind it.
    expect(utility!.cloned - before).toBe(bytes.length);
    const place = { section: 'raw', name: '', step: 0, index: 0 } as const;
    const value = await page.ask('value', { file: 0, record: 0, place, from: 0, to: 20 });
    expect(utility!.cloned - before).toBe(bytes.length + value.batches[0]!.length);
  });

  it('sends no batch that the page has granted no credit for', async () => {
    const app = new App([WEATHER]);
    const page = await app.start();
    await until(() => page.files.length > 0);
    const { window } = app.contents!.renderer!;
    const got: ToPage[] = [];
    window.addEventListener('message', (event) => {
      const { ports, data } = event as unknown as MessageEvent;
      if (data !== 'tfrecord-viewer-port') return;
      ports[0]!.addEventListener('message', (message: MessageEvent<ToPage>) => got.push(message.data));
      ports[0]!.start();
      const selection = { ranges: null, conditions: [] };
      ports[0]!.postMessage({ id: 1, ask: 'export', args: { file: 0, selection, format: 'jsonl' }, credits: 0 });
      ports[0]!.postMessage({ id: 2, ask: 'record', args: { file: 0, record: 0 }, credits: 1 });
    });
    (window['tfrecordViewer'] as Shell).connect();
    await until(() => got.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(got.map(({ id }) => id)).toEqual([2]);
  });

  it('opens what the user chooses, drops, or opens in the system, each once', async () => {
    const app = new App();
    const page = await app.start();
    const a = folder.write('a.tfrecord', [Buffer.from('a')]);
    const vanished = folder.at('vanished.tfrecord');
    page.shell.open('files');
    app.electron.chosen = [a];
    await until(() => page.added.length === 1);
    app.electron.chosen = [folder.path];
    app.click('Open &Folder…');
    await until(() => page.added.length === 2);
    const [dropped, made] = [new File([], 'weather.tfrecord'), new File(['made by a script'], 'passwd')];
    app.electron.dropped.set(dropped, WEATHER);
    page.shell.add([dropped, made]);
    await until(() => page.added.length === 3);
    app.electron.app.emit('second-instance', {}, [], '/', { paths: [a] });
    await until(() => page.added.length === 4);
    app.electron.app.emit('open-file', { preventDefault: () => undefined }, vanished);
    await until(() => app.electron.errors.length === 1);
    expect(page.added).toEqual([[0], [0], [1], [0]]);
    expect(page.names).toEqual([a, WEATHER]);
    expect(app.electron.errors[0]).toMatch(/ENOENT.*vanished\.tfrecord/);
    expect(app.electron.recent).toHaveLength(5);
  });

  it('opens a window for a file that is opened when there is none, and shows that file', async () => {
    const app = new App([WEATHER]);
    const first = await app.start();
    await until(() => first.added.length > 0);
    const [window] = app.electron.windows as unknown as EventEmitter[];
    window!.emit('closed');
    const b = folder.write('later.tfrecord', [Buffer.from('b')]);
    app.electron.app.emit('open-file', { preventDefault: () => undefined }, b);
    await until(() => app.electron.windows.length === 2 && app.contents!.renderer !== undefined);
    const page = await app.page();
    await until(() => page.added.length > 0 && page.files.length === 2);
    expect([page.added, page.names]).toEqual([[[1]], [WEATHER, b]]);
  });

  it('says what is wrong with a folder without files, and opens the rest', async () => {
    const app = new App();
    const page = await app.start();
    const { path } = folder.place();
    app.electron.chosen = [path, WEATHER];
    page.shell.open('files');
    await until(() => app.electron.errors.length > 0);
    expect(app.electron.errors).toEqual([`Not everything could be opened. There is no file in ${path}.`]);
    await until(() => page.added.length > 0 && page.files.length > 0);
    expect(page.added).toEqual([[0]]);
    expect(page.names).toEqual([WEATHER]);
  });

  it('tells of a file that vanishes while it is in use', async () => {
    const file = folder.write('vanishes.tfrecord', [Buffer.from('a'), Buffer.from('b')]);
    const app = new App([file]);
    const page = await app.start();
    await until(() => page.files.length > 0);
    rmSync(file);
    const failed = page.ask('rows', { file: 0, records: [0] });
    await expect(failed).rejects.toThrow(HostError);
    await expect(failed).rejects.toThrow(/ENOENT|no such file/);
    await expect(page.ask('damage', { file: 0 })).rejects.toMatchObject({ problem: { code: 'ENOENT' } });
    await until(() => page.files[0]!.problem?.code === 'ENOENT');
  });

  it('says so when the utility process ends, and reads the same files with a new one', async () => {
    const app = new App([WEATHER]);
    const page = await app.start();
    await until(() => page.files.length > 0);
    const waiting = page.ask('damage', { file: 0 }).catch((error: unknown) => error);
    await app.kill();
    await until(() => page.gone !== undefined);
    expect(page.gone!.message).toBe('The program that reads the files has ended.');
    await waiting;
    await until(() => app.electron.boxes.length === 1);
    const { options, answer } = app.electron.boxes[0]!;
    expect(options).toMatchObject({ type: 'error', message: 'The process that reads the files has ended.' });
    expect(options['detail']).toContain('exit code was 9');
    // Files that are opened in the meantime are not lost.
    const b = folder.write('b.tfrecord', [Buffer.from('b')]);
    app.electron.app.emit('second-instance', {}, [], '/', { paths: [b] });
    answer(0);
    await until(() => app.contents!.loads === 2);
    const again = await app.page();
    await until(() => again.files.length === 2);
    expect(again.names).toEqual([WEATHER, b]);
    expect((await again.ask('record', { file: 1, record: 0 })).done.bytes).toBe(1);

    await app.kill();
    await until(() => app.electron.boxes.length === 2);
    app.electron.boxes[1]!.answer(1);
    await until(() => app.contents!.loads === 3);
    const empty = await app.page();
    await expect(empty.ask('record', { file: 0, record: 0 })).rejects.toThrow('wrong arguments of record');
    await app.kill();
    await until(() => app.electron.boxes.length === 3);
    app.electron.boxes[2]!.answer(2);
    await until(() => app.electron.hasQuit);
  });

  it('connects the page anew after a reload', async () => {
    const app = new App([WEATHER]);
    const before = await app.start();
    await until(() => before.files.length > 0);
    app.contents!.reload();
    await until(() => app.contents!.loads === 2);
    const page = await app.page();
    expect((await page.ask('record', { file: 0, record: 0 })).done.kind).toBe('Example');
  });

  it('hands its files over to the one that runs already', () => {
    const app = new App(['a.tfrecord', '--flag', '/b.tfrecord'], false);
    expect(app.electron.instance).toEqual({ paths: [join(process.cwd(), 'a.tfrecord'), '/b.tfrecord'] });
    expect(app.electron.hasQuit).toBe(true);
  });
});

test('package.json names the oldest Electron, as the documents do', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(EXAMPLE, 'package.json'), 'utf8')) as {
    readonly devDependencies: { readonly electron: string };
  };
  const [, oldest] = /^>=(\d+) <\d+$/.exec(devDependencies.electron)!;
  for (const page of ['docs/electron.md', 'examples/electron/README.md']) {
    expect(readFileSync(join(ROOT, page), 'utf8')).toMatch(new RegExp(`\\bElectron ${oldest}( and newer|,)`));
  }
});

describe('what the page may not do', () => {
  let app: App;
  let page: Page;
  beforeEach(async () => {
    app = new App([WEATHER]);
    page = await app.start();
    await until(() => page.files.length > 0);
  });

  it('is isolated and sandboxed', () => {
    expect(app.electron.windows[0]!.options.webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
    });
    expect(Object.keys(page.shell).sort()).toEqual(['add', 'connect', 'onAdded', 'open']);
    expect(Object.isFrozen(page.shell)).toBe(true);
  });

  it('names no path', async () => {
    await expect(page.ask('add', { paths: ['/etc/passwd'] })).rejects.toThrow('this port may not ask for add');
    expect(() => page.shell.add(['/etc/passwd'] as never)).toThrow('no File');
    expect(page.names).toEqual([WEATHER]);
  });

  it('names no path before Electron 29 either, where a File has its own', () => {
    const sent: unknown[][] = [];
    const preload = join(ROOT, 'examples', 'electron', 'preload.js');
    const old = new Renderer(preload, (...message) => void sent.push(message), new Map(), { hasWebUtils: false });
    const shell = old.window['tfrecordViewer'] as Shell;
    const dropped = Object.assign(new File([], 'weather.tfrecord'), { path: WEATHER });
    shell.add([{ path: '/etc/passwd' } as never, '/etc/passwd' as never, new File([], 'made'), dropped]);
    return until(() => sent.length > 0).then(() => {
      expect(sent).toEqual([['add', [WEATHER]]]);
    });
  });

  it.each([[undefined], [null], [{}], [{ paths: 'a' }], [{ paths: [7, null] }], ['text']])(
    'another instance that sends %j does no harm',
    async (data) => {
      app.electron.app.emit('second-instance', {}, [], '/', data);
      await page.ask('record', { file: 0, record: 1 });
      expect(page.names).toEqual([WEATHER]);
      expect(app.electron.errors).toEqual([]);
    },
  );

  it('gets errors for what is no request, and nothing else', async () => {
    const hostile = [
      null,
      7,
      'files',
      {},
      { id: -1 },
      { id: 1, ask: '__proto__', args: {}, credits: 1 },
      [],
      new Map(),
    ];
    const got: ToPage[] = [];
    app.contents!.renderer!.window.addEventListener('message', (event) => {
      const [port] = (event as unknown as MessageEvent).ports;
      port!.addEventListener('message', (message: MessageEvent<ToPage>) => got.push(message.data));
      port!.start();
      for (const message of hostile) port!.postMessage(message);
    });
    page.shell.connect();
    await until(() => got.length === hostile.length);
    expect(got.every((answer) => 'error' in answer && answer.error.code === 'ERR_INVALID_ARG_VALUE')).toBe(true);
    expect((await page.ask('record', { file: 0, record: 0 })).done.kind).toBe('Example');
  });

  it('sends the main process nothing but its calls', async () => {
    const { ipcMain } = app.electron;
    const contents = app.contents!;
    const sent = (channel: string, what: unknown, frame: object = contents.mainFrame): boolean =>
      ipcMain.emit(channel, { sender: contents, senderFrame: frame }, what);
    for (const what of [null, 'a', [1], { length: 1 }, [['a']]]) sent('add', what);
    sent('add', ['/etc/passwd'], { url: 'https://example.org/' });
    sent('add', ['/etc/passwd'], { url: PAGE });
    contents.mainFrame.url = 'https://example.org/';
    sent('add', ['/etc/passwd']);
    contents.mainFrame.url = PAGE;
    sent('add', ['a\0b']);
    app.electron.chosen = ['/etc/passwd'];
    for (const what of [null, 'all', { files: 1 }]) sent('open', what);
    await until(() => app.electron.errors.length > 0);
    expect(app.electron.errors).toEqual(['Not everything could be opened. Refused: wrong arguments of add.']);
    expect(app.electron.recent).toEqual([WEATHER, 'a\0b']);
    expect(page.names).toEqual([WEATHER]);
  });

  it('goes nowhere, opens nothing, gets no permission, and saves only what it made', () => {
    const contents = app.contents!;
    for (const event of ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview']) {
      const preventDefault = jest.fn();
      contents.emit(event, { preventDefault }, 'https://example.org/');
      expect(preventDefault).toHaveBeenCalledTimes(1);
    }
    expect(contents.openHandler!()).toEqual({ action: 'deny' });
    const answer = jest.fn();
    const { handlers } = contents.session;
    handlers['request']!(contents, 'media', answer);
    expect(answer.mock.calls).toEqual([[false]]);
    expect([handlers['check']!(), handlers['device']!()]).toEqual([false, false]);

    const download = (url: string, name: string) => {
      const preventDefault = jest.fn();
      const setSaveDialogOptions = jest.fn();
      const item = { getURL: () => url, getFilename: () => name, setSaveDialogOptions };
      contents.session.emit('will-download', { preventDefault }, item);
      return { refused: preventDefault.mock.calls.length > 0, options: setSaveDialogOptions.mock.calls.flat() };
    };
    expect(download('https://example.org/a', 'a')).toEqual({ refused: true, options: [] });
    expect(download('blob:tfrecord-viewer://page/0-1', 'a.jsonl')).toEqual({
      refused: false,
      options: [{ title: 'Export', defaultPath: 'a.jsonl', filters: [{ name: 'JSON Lines', extensions: ['jsonl'] }] }],
    });
  });

  it('has its own files under its address, with a policy, and no others', async () => {
    const get = (path: string, init?: RequestInit): Promise<Response> => app.electron.fetch(`${PAGE}${path}`, init);
    const index = await get('');
    expect(index.headers.get('content-type')).toBe('text/html; charset=utf-8');
    // The policy is that of `tfrecord view`, whose channel the port replaces.
    const served = await lib.view([], { page: join(ROOT, 'dist', 'view', 'page') });
    const policy = (await fetch(served.address)).headers.get('content-security-policy')!;
    await served.close();
    expect(index.headers.get('content-security-policy')).toBe(
      policy.replace("connect-src 'self'", "connect-src 'none'"),
    );
    const names = [...(await index.text()).matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThanOrEqual(3);
    for (const name of names) expect([name, (await get(name)).status]).toEqual([name, 200]);
    for (const path of ['missing.js', '..%2f..%2findex.js', '%2e%2e/server.js', '/etc/passwd.js', 'assets', '.x.js']) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
    expect((await get('index.html', { method: 'POST' })).status).toBe(404);
    expect((await app.electron.fetch('tfrecord-viewer://other/index.html')).status).toBe(404);
  });
});
