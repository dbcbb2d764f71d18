/** `tfrecord view` and a browser that shows its page. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { ROOT } from '../running/compiled-sources';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** `describe`, or a line that says what is missing. CI has the browser. */
export const describeWithBrowser: jest.Describe =
  existsSync(CHROMIUM) || process.env['TFR_REQUIRE_TOOLS'] !== undefined
    ? describe
    : (console.log('view page: skipped, no chromium (apt-get install chromium, or set CHROMIUM)'), describe.skip);

/** The command as it serves a page. */
export class Served {
  readonly #process: ChildProcess;
  readonly #ended: Promise<number | null>;

  private constructor(
    server: ChildProcess,
    readonly address: string,
  ) {
    this.#process = server;
    this.#ended = new Promise((resolve) => server.once('exit', resolve));
  }

  static async start(args: readonly string[]): Promise<Served> {
    const server = spawn(process.execPath, [join(ROOT, 'dist/cli/main.js'), 'view', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const address = await new Promise<string>((resolve, reject) => {
      server.stdout.once('data', (data: Buffer) => resolve(String(data).trim()));
      server.once('exit', (code) => reject(new Error(`tfrecord view ended with ${code}`)));
    });
    return new Served(server, address);
  }

  /** The most memory that the process has had, in bytes. */
  get peak(): number {
    const status = readFileSync(`/proc/${this.#process.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  }

  /** Interrupts the command. Resolves with its exit code. */
  interrupt(): Promise<number | null> {
    this.#process.kill('SIGINT');
    return this.#ended;
  }
}

/** A page, and all that it did which no page of ours does. */
export interface Watched {
  readonly page: Page;
  /** Errors, warnings, breaches of the policy, and requests to elsewhere. */
  readonly complaints: readonly string[];
}

let browser: Promise<Browser> | undefined;

/** Opens a page. @param before runs in it before its own scripts */
export async function openPage(
  address: string,
  options: BrowserContextOptions = {},
  before?: () => void,
): Promise<Watched> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only if there is a browser
  const { chromium } = require('playwright-core') as typeof import('playwright-core');
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  const { origin } = new URL(address);
  page.on('console', (message) => {
    if (message.type() !== 'log') complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('blob:')) complaints.push(`request: ${url}`);
  });
  if (before !== undefined) await page.addInitScript(before);
  await page.goto(address);
  return { page, complaints };
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}
