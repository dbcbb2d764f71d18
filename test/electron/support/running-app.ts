/** Starts an installed app, and drives it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { _electron, chromium, type Browser, type ElectronApplication, type Page } from 'playwright-core';

import type { Display } from './display';
import type { InstalledApp } from './installed-app';

/** The user `nobody`, if this one is root. */
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

let homes = 0;

/** Makes a home for an app, where it may write. Returns the arguments and the environment of the app. */
function settings(app: InstalledApp, display: Display, owner?: number) {
  const home = join(app.folder, `home-${homes++}`);
  mkdirSync(home);
  if (owner !== undefined) chownSync(home, owner, owner);
  return {
    args: ['--disable-gpu', `--user-data-dir=${home}`],
    env: { PATH: process.env['PATH'] ?? '', HOME: home, XDG_RUNTIME_DIR: home, DISPLAY: display.name },
  };
}

/** Starts the app as this user, with its main process in hand. As root, Chromium has no sandbox. */
export async function launch(
  app: InstalledApp,
  display: Display,
  files: readonly string[] = [],
): Promise<ElectronApplication> {
  const { args, env } = settings(app, display);
  return _electron.launch({ executablePath: app.executable, args: [...args, ...files], env });
}

/** An app that runs as an ordinary user, in Chromium's sandbox, and is driven by its debugging port alone. */
export class SandboxedApp {
  private constructor(
    readonly process: ChildProcess,
    readonly browser: Browser,
    readonly page: Page,
  ) {}

  static async start(app: InstalledApp, display: Display, files: readonly string[]): Promise<SandboxedApp> {
    const { args, env } = settings(app, display, isRoot ? NOBODY : undefined);
    const child = spawn(app.executable, [...args, '--remote-debugging-port=0', ...files], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    // Electron refuses to change where downloads go, which is a default.
    const browser = await chromium.connectOverCDP(await debuggingAddress(child), { noDefaults: true });
    const [context] = browser.contexts();
    const page = context!.pages()[0] ?? (await context!.waitForEvent('page'));
    return new SandboxedApp(child, browser, page);
  }

  /** The processes of the app, by what Linux knows of them. */
  get processes(): RunningProcess[] {
    return descendants(this.process.pid!);
  }

  async close(): Promise<void> {
    await this.browser.close();
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exit = once(this.process, 'exit');
    this.process.kill();
    await exit;
  }
}

/** Resolves with the address on which the app is debugged. Rejects with what it prints if it ends before. */
async function debuggingAddress(child: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    child.stderr!.on('data', (data: Buffer) => {
      printed += String(data);
      const [, address] = /DevTools listening on (ws:\S+)/.exec(printed) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', (code, signal) => reject(new Error(`The app ended with ${code ?? signal}: ${printed}`)));
  });
}

export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
  /** The text of /proc/PID/status. */
  readonly status: string;
}

/** Returns the process `root` and those that it has started, and so on. */
function descendants(root: number): RunningProcess[] {
  const all = readdirSync('/proc').flatMap((name): RunningProcess[] => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [command, status] = ['cmdline', 'status'].map((file) => readFileSync(`/proc/${name}/${file}`, 'utf8'));
      return [{ pid: Number(name), command: command!.replaceAll('\0', ' ').trim(), status: status! }];
    } catch {
      return []; // It has ended.
    }
  });
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found)
    found.push(...all.filter(({ status }) => new RegExp(`^PPid:\\t${pid}$`, 'm').test(status)));
  return found;
}
