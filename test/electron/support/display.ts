/** A display without a screen. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** Xvfb, which ends with this process. */
export class Display {
  readonly #server: ChildProcess;

  private constructor(
    server: ChildProcess,
    /** The value of DISPLAY. */
    readonly name: string,
  ) {
    this.#server = server;
  }

  /** Starts a server that every user of this machine, and nobody else, may use. */
  static async start(): Promise<Display> {
    const xvfb = ['Xvfb', '-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp', '-ac'];
    const server = spawn('setpriv', ['--pdeathsig', 'KILL', ...xvfb], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const failed = once(server, 'exit').then(([code]) => {
      throw new Error(`Xvfb ended with ${String(code)}`);
    });
    failed.catch(() => undefined);
    const [number] = (await Promise.race([once(server.stdio[3] as Readable, 'data'), failed])) as [Buffer];
    return new Display(server, `:${String(number).trim()}`);
  }

  async close(): Promise<void> {
    if (this.#server.exitCode !== null || this.#server.signalCode !== null) return;
    const exit = once(this.#server, 'exit');
    this.#server.kill();
    await exit;
  }
}
