/**
 * PostgreSQL on loopback, in a temporary folder, as an ordinary user, because it refuses root. It ends with the process of
 * the test at the latest.
 */
import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort, SERVERS } from './servers';

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const ordinary = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const STARTED_MS = 60_000;

/** Returns the folder of PostgreSQL's programs below `usr`, of the newest version; undefined if there is none. */
function programsIn(usr: string): string | undefined {
  const versions = join(usr, 'lib', 'postgresql');
  if (!existsSync(versions)) return undefined;
  const newest = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
  return newest
    .map((version) => join('lib', 'postgresql', version, 'bin'))
    .find((bin) => existsSync(join(usr, bin, 'initdb')));
}

/** The folder of Debian's files, that of `scripts/servers.sh` or the system's, and the folder of the programs in it. */
function found(): { readonly usr: string; readonly bin: string } | undefined {
  for (const usr of [join(SERVERS, 'postgresql', 'usr'), '/usr']) {
    const bin = programsIn(usr);
    if (bin !== undefined) return { usr, bin };
  }
  return undefined;
}

export class Postgres {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tfr-postgres-'));
  readonly #usr: string;
  readonly #bin: string;
  #port = 0;
  #server: { readonly child: ChildProcessWithoutNullStreams; readonly ended: Promise<number | null> } | undefined;
  #printed = '';

  private constructor() {
    const { usr, bin } = found()!;
    this.#usr = usr;
    // An ordinary user cannot read what is in the home of root.
    if (isRoot && usr !== '/usr') {
      this.#usr = join(this.#folder, 'usr');
      cpSync(usr, this.#usr, { recursive: true, verbatimSymlinks: true });
    }
    this.#bin = join(this.#usr, bin);
    chmodSync(this.#folder, 0o755);
    mkdirSync(this.#data);
    if (isRoot) chownSync(this.#data, NOBODY, NOBODY);
  }

  /** Makes a cluster of databases. Resolves when it answers. */
  static async start(): Promise<Postgres> {
    const postgres = new Postgres();
    try {
      const how = ['--locale=C', '--encoding=UTF8', '--auth=trust', '--username=postgres', '--no-sync'];
      const options = { env: postgres.#environment, cwd: postgres.#data, stdio: 'pipe', ...ordinary } as const;
      execFileSync(join(postgres.#bin, 'initdb'), [...how, postgres.#data], options);
      postgres.#port = await freePort();
      await postgres.resume();
      return postgres;
    } catch (error) {
      await postgres.stop();
      throw error;
    }
  }

  /** The address of the database `name`, which DBOS makes if it is missing. */
  url(name: string): string {
    return `postgresql://postgres@127.0.0.1:${this.#port}/${name}`;
  }

  /** Starts the server. Resolves when it answers. */
  async resume(): Promise<void> {
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'jit=off', 'fsync=off'];
    const command = [
      ...[join(this.#bin, 'postgres'), '-D', this.#data, '-p', String(this.#port)],
      ...settings.flatMap((setting) => ['-c', setting]),
    ];
    // The shell ends the server when its own input ends: also when the process of the test is killed.
    const child = spawn('sh', ['-c', '"$@" & cat >/dev/null; kill -INT $!; wait $!', 'sh', ...command], {
      env: this.#environment,
      cwd: this.#data,
      ...ordinary,
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (this.#printed += String(text)));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    this.#server = { child, ended };
    const until = Date.now() + STARTED_MS;
    while (!this.#printed.includes('ready to accept connections') || !(await answers(this.#port))) {
      if (Date.now() > until) throw new Error(`PostgreSQL does not start: ${this.#printed}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Ends the server at once, with all connections. `resume` starts it again. */
  async pause(): Promise<void> {
    this.#server?.child.stdin.end();
    await this.#server?.ended;
    this.#server = undefined;
    this.#printed = '';
  }

  /** Ends the server and removes its folder. */
  async stop(): Promise<void> {
    await this.pause();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  get #environment(): NodeJS.ProcessEnv {
    const libraries = join(this.#usr, 'lib', `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`);
    const own = this.#usr === '/usr' ? {} : { LD_LIBRARY_PATH: libraries };
    return { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C', ...own };
  }
}

/** Resolves with true if something listens on `port` of loopback. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
