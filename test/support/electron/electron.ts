/** The modules of Electron's main process, as far as examples/electron uses them and its documentation describes them. */
import { EventEmitter } from 'node:events';

import { MessageChannelMain, UtilityProcess, type MessagePortMain } from './ports';
import { Renderer } from './renderer';

interface Preferences {
  readonly preload: string;
  readonly [name: string]: unknown;
}
type Handler = (request: Request) => Promise<Response>;
type Template = readonly { readonly label?: string; readonly click?: () => void; readonly submenu?: Template }[];

class Session extends EventEmitter {
  readonly handlers: Record<string, (...args: readonly unknown[]) => unknown> = {};

  setPermissionRequestHandler(handler: () => unknown): void {
    this.handlers['request'] = handler;
  }
  setPermissionCheckHandler(handler: () => unknown): void {
    this.handlers['check'] = handler;
  }
  setDevicePermissionHandler(handler: () => unknown): void {
    this.handlers['device'] = handler;
  }
}

class WebContents extends EventEmitter {
  readonly session: Session;
  readonly mainFrame: { url: string; postMessage: WebContents['postMessage'] };
  openHandler: (() => unknown) | undefined;
  renderer: Renderer | undefined;
  loads = 0;
  readonly #electron: Electron;
  readonly #preload: string;

  constructor(electron: Electron, preload: string) {
    super();
    this.session = electron.session;
    this.mainFrame = { url: '', postMessage: (...args) => this.postMessage(...args) };
    this.#electron = electron;
    this.#preload = preload;
  }

  setWindowOpenHandler(handler: () => unknown): void {
    this.openHandler = handler;
  }

  send(channel: string, ...args: readonly unknown[]): void {
    this.renderer?.receive(channel, args);
  }

  postMessage(channel: string, message: unknown, transfer?: readonly MessagePortMain[]): void {
    this.renderer?.receive(channel, [message], transfer);
  }

  async load(url: string): Promise<void> {
    const answer = await this.#electron.fetch(url);
    if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`);
    this.mainFrame.url = url;
    this.renderer = new Renderer(
      this.#preload,
      (channel, ...args) =>
        this.#electron.ipcMain.emit(channel, { sender: this, senderFrame: this.mainFrame }, ...args),
      this.#electron.dropped,
    );
    this.loads++;
    this.emit('loaded');
  }

  reload(): void {
    this.renderer?.close();
    void this.load(this.mainFrame.url);
  }
}

/** An Electron with one app. Its members are what tests look at, and `modules` what `require('electron')` returns. */
export class Electron {
  readonly app = Object.assign(new EventEmitter(), {
    isPackaged: false,
    isReady: () => this.#isReady,
    whenReady: () => this.#ready,
    quit: () => (this.hasQuit = true),
    addRecentDocument: (path: string) => this.recent.push(path),
    requestSingleInstanceLock: (data: unknown) => {
      this.instance = data;
      return this.isFirst;
    },
  });
  readonly ipcMain = new EventEmitter();
  readonly session = new Session();
  readonly windows: {
    readonly options: { readonly webPreferences: Preferences };
    readonly webContents: WebContents;
  }[] = [];
  readonly utilities: UtilityProcess[] = [];
  readonly recent: string[] = [];
  readonly errors: string[] = [];
  /** Files that the user drops, and their paths. */
  readonly dropped = new Map<File, string>();
  readonly boxes: {
    readonly options: Readonly<Record<string, unknown>>;
    readonly answer: (response: number) => void;
  }[] = [];
  menu: Template = [];
  hasQuit = false;
  instance: unknown;
  /** The user's choice in the dialog that opens files. */
  chosen: readonly string[] = [];
  readonly #handlers = new Map<string, Handler>();
  #privileged: readonly { readonly scheme: string }[] | undefined;
  #isReady = false;
  #makeReady!: () => void;
  readonly #ready = new Promise<void>((resolve) => (this.#makeReady = resolve));

  constructor(readonly isFirst = true) {}

  get modules(): Readonly<Record<string, unknown>> {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- classes of its own
    const electron = this;
    return {
      app: this.app,
      ipcMain: this.ipcMain,
      MessageChannelMain,
      BrowserWindow: class extends EventEmitter {
        readonly webContents: WebContents;
        constructor(readonly options: { readonly webPreferences: Preferences }) {
          super();
          if (!electron.#isReady) throw new Error('Cannot create BrowserWindow before app is ready');
          this.webContents = new WebContents(electron, options.webPreferences.preload);
          electron.windows.push(this);
        }
        loadURL(url: string): Promise<void> {
          return this.webContents.load(url);
        }
        isMinimized(): boolean {
          return false;
        }
        focus(): void {
          this.emit('focus');
        }
      },
      utilityProcess: {
        fork: (script: string) => {
          if (!this.#isReady) throw new Error('utilityProcess cannot be created before app is ready.');
          const started = new UtilityProcess(script);
          this.utilities.push(started);
          return started;
        },
      },
      protocol: {
        registerSchemesAsPrivileged: (schemes: readonly { readonly scheme: string }[]) => {
          if (this.#isReady || this.#privileged !== undefined) throw new Error('once, before the app is ready');
          this.#privileged = schemes;
        },
        handle: (scheme: string, handler: Handler) => {
          if (!this.#isReady) throw new Error('only when the app is ready');
          this.#handlers.set(scheme, handler);
        },
      },
      dialog: {
        showOpenDialog: async () => ({ canceled: this.chosen.length === 0, filePaths: this.chosen }),
        showMessageBox: (options: Readonly<Record<string, unknown>>) =>
          new Promise((resolve) => {
            this.boxes.push({ options, answer: (response) => resolve({ response }) });
          }),
        showErrorBox: (title: string, text: string) => this.errors.push(`${title} ${text}`),
      },
      Menu: {
        buildFromTemplate: (template: Template) => template,
        setApplicationMenu: (menu: Template) => (this.menu = menu),
      },
    };
  }

  makeReady(): void {
    this.#isReady = true;
    this.#makeReady();
  }

  /** A request of a page. */
  fetch(url: string, init?: RequestInit): Promise<Response> {
    const scheme = url.slice(0, url.indexOf(':'));
    if (this.#privileged?.some((each) => each.scheme === scheme) !== true) throw new Error(`${scheme} has no origin`);
    return this.#handlers.get(scheme)!(new Request(url, init));
  }
}
