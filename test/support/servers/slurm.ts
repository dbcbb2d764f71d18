/**
 * Slurm (slurmctld, slurmd and munged) on this machine alone, as this user, in a temporary folder. The daemons end with the
 * process of the test at the latest.
 */
import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { freePort, SERVERS } from './servers';

const own = join(SERVERS, 'slurm', 'usr');
const libraries = `lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
/** The folder of Debian's files: that of `scripts/servers.sh`, or the system's. */
const usr = existsSync(join(own, 'sbin', 'slurmctld-wlm')) ? own : '/usr';
const plugins = join(usr, libraries, 'slurm-wlm');

/** Returns the path of a daemon. Installing makes Slurm's own names, as Debian's alternatives. */
const sbin = (name: string): string => {
  const path = join(usr, 'sbin', name);
  return existsSync(`${path}-wlm`) ? `${path}-wlm` : path;
};

const STARTED_MS = 60_000;
const ENDED_MS = 30_000;

interface Daemon {
  readonly name: string;
  readonly process: ChildProcessWithoutNullStreams;
  readonly ended: Promise<void>;
  printed: string;
}

export class Slurm {
  /** Its own folder. Jobs may use it, too. */
  readonly folder = mkdtempSync(join(tmpdir(), 'tfr-slurm-'));
  readonly #conf = join(this.folder, 'slurm.conf');
  readonly #daemons: Daemon[] = [];

  /** Starts the daemons. Resolves when the machine takes jobs. */
  static async start(): Promise<Slurm> {
    const slurm = new Slurm();
    try {
      await slurm.#start();
      return slurm;
    } catch (error) {
      await slurm.stop();
      throw error;
    }
  }

  /** Runs a command of Slurm's. Resolves with what it prints. */
  async run(command: string, args: readonly string[], path?: string): Promise<string> {
    const { stdout } = await promisify(execFile)(join(usr, 'bin', command), args, {
      cwd: this.folder,
      env: { ...this.#environment, ...(path === undefined ? {} : { PATH: path + delimiter + process.env['PATH']! }) },
    });
    return stdout.trim();
  }

  /** Cancels jobs that are left, and ends the daemons. */
  async stop(): Promise<void> {
    const until = Date.now() + ENDED_MS;
    while (Date.now() < until && (await this.#jobsLeft())) await new Promise((resolve) => setTimeout(resolve, 200));
    for (const { process: daemon, ended } of this.#daemons.splice(0).reverse()) {
      daemon.stdin.end();
      await ended;
    }
    for (const pid of processesWith(`SLURM_CONF=${this.#conf}`)) process.kill(pid, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #environment(): NodeJS.ProcessEnv {
    const { PATH, HOME } = process.env;
    return { PATH, HOME, SLURM_CONF: this.#conf, LD_LIBRARY_PATH: `${plugins}${delimiter}${join(usr, libraries)}` };
  }

  async #start(): Promise<void> {
    const [control, node] = [await freePort(), await freePort()];
    const values = {
      FOLDER: this.folder,
      HOST: hostname().replace(/\..*$/, ''),
      USER: userInfo().username,
      PLUGINS: plugins,
      CONTROL_PORT: String(control),
      NODE_PORT: String(node),
    };
    const template = readFileSync(join(__dirname, 'slurm.conf'), 'utf8');
    writeFileSync(
      this.#conf,
      template.replace(
        /\b(?:FOLDER|HOST|USER|PLUGINS|CONTROL_PORT|NODE_PORT)\b/g,
        (name) => values[name as keyof typeof values],
      ),
    );
    for (const name of ['state', 'spool']) mkdirSync(join(this.folder, name));
    writeFileSync(join(this.folder, 'munge.key'), randomBytes(1024), { mode: 0o400 });
    const munge = ['socket', 'key', 'pid', 'log', 'seed'].map(
      (what) => `--${what}${what === 'socket' ? '' : '-file'}=${join(this.folder, `munge.${what}`)}`,
    );
    this.#spawn('munged', ['--foreground', '--force', ...munge]);
    this.#spawn('slurmctld', ['-D', '-f', this.#conf]);
    this.#spawn('slurmd', ['-D', '-f', this.#conf, '-d', sbin('slurmstepd')]);
    const until = Date.now() + STARTED_MS;
    while ((await this.#state()) !== 'idle') {
      if (Date.now() > until) throw new Error(`Slurm does not start: ${this.#said}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** The shell ends the daemon when its own input ends: also when the process of the test is killed. */
  #spawn(name: string, args: readonly string[]): void {
    const command = [sbin(name), ...args];
    const child = spawn('sh', ['-c', '"$@" & cat >/dev/null; kill $!; wait $!', 'sh', ...command], {
      env: this.#environment,
    });
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const daemon: Daemon = { name, process: child, ended, printed: '' };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (daemon.printed += String(text)));
    this.#daemons.push(daemon);
  }

  async #state(): Promise<string> {
    return this.run('sinfo', ['--noheader', '--format=%T']).catch(() => '');
  }

  /** Cancels all jobs. Resolves with true as long as there are some. */
  async #jobsLeft(): Promise<boolean> {
    try {
      await this.run('scancel', ['--full', `--user=${userInfo().username}`]);
      return (await this.run('squeue', ['--noheader'])) !== '';
    } catch {
      return false;
    }
  }

  get #said(): string {
    return this.#daemons.map(({ name, printed }) => `${name}: ${printed.slice(-2000)}`).join('\n');
  }
}

/** Returns the processes in whose environment `variable` is. */
function processesWith(variable: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const isOurs = /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(variable);
      return isOurs ? [Number(name)] : [];
    } catch {
      return []; // It has ended, or is another user's.
    }
  });
}
