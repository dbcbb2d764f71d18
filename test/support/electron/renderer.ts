/** A window's page and its preload script: sandboxed, in worlds apart, as Electron's documentation describes them. */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { MessageChannel, MessagePort } from 'node:worker_threads';

import type { MessagePortMain } from './ports';

type Send = (channel: string, ...args: readonly unknown[]) => void;
type Plain = Readonly<Record<string, unknown>>;

/** The window of a page, as far as the page and its preload use it. */
export class PageWindow extends EventTarget {
  [name: string]: unknown;

  postMessage(data: unknown, _origin: string, ports: readonly unknown[]): void {
    const event = Object.assign(new Event('message'), { source: this, data: structuredClone(data), ports });
    setImmediate(() => this.dispatchEvent(event));
  }
}

export class Renderer {
  readonly window = new PageWindow();
  readonly #toPreload = new EventEmitter();
  readonly #ports: MessagePort[] = [];

  /**
   * @param send what a message of `ipcRenderer` does
   * @param paths the files that the user has dropped, and their paths
   */
  constructor(
    preload: string,
    send: Send,
    readonly paths: ReadonlyMap<File, string>,
    { hasWebUtils = true }: { readonly hasWebUtils?: boolean } = {},
  ) {
    const modules: Plain = {
      electron: {
        contextBridge: {
          exposeInMainWorld: (name: string, api: unknown) => (this.window[name] = bridged(api)),
        },
        ipcRenderer: {
          on: (channel: string, listener: (...args: unknown[]) => void) => this.#toPreload.on(channel, listener),
          send: (channel: string, ...args: unknown[]) => {
            const cloned: unknown[] = structuredClone(args);
            setImmediate(() => send(channel, ...cloned));
          },
        },
        webUtils: !hasWebUtils
          ? undefined
          : {
              getPathForFile: (file: unknown) => {
                if (!(file instanceof File)) throw new TypeError('The argument is no File.');
                return this.paths.get(file) ?? '';
              },
            },
      },
    };
    const require = (name: string): unknown => {
      if (!Object.hasOwn(modules, name)) throw new Error(`module not found: ${name}`);
      return modules[name];
    };
    runInContext(readFileSync(preload, 'utf8'), createContext({ require, window: this.window, File }));
  }

  /** A message of the main process to the preload script. */
  receive(channel: string, args: readonly unknown[], transfer: readonly MessagePortMain[] = []): void {
    const cloned: unknown[] = structuredClone([...args]);
    const ports = transfer.map((port) => {
      const { port1, port2 } = new MessageChannel();
      port.handOver({ take: (data) => port1.postMessage(data), closed: () => port1.close() });
      port1.on('message', (data) => port.send(data));
      port1.on('close', () => port.close());
      this.#ports.push(port2);
      return port2;
    });
    setImmediate(() => this.#toPreload.emit(channel, { ports }, ...cloned));
  }

  /** The page goes, and its ports with it. */
  close(): void {
    for (const port of this.#ports) port.close();
  }
}

/** Returns what the other world gets: copies, and functions that copy what they are given. */
function bridged(value: unknown): unknown {
  if (typeof value === 'function') {
    return (...args: unknown[]) => bridged((value as (...args: unknown[]) => unknown)(...args.map(bridged)));
  }
  if (typeof value === 'symbol' || value instanceof MessagePort)
    throw new Error('This cannot cross the contextBridge.');
  if (typeof value !== 'object' || value === null || value instanceof Blob) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(bridged));
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, bridged(each)])));
}
