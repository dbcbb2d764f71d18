/**
 * Servers of objects that tests start on loopback. `scripts/servers.sh` installs them into a cached folder. Each runs in a
 * process of its own, in a temporary folder, and ends with the process of the test at the latest.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of `scripts/servers.sh`. */
export const SERVERS =
  process.env['TFRECORD_SERVERS'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tfrecord-native', 'servers');

export type ServerName = 'nginx' | 's3rver' | 'swift' | 'azurite' | 'firebase';

export interface RunningServer {
  /** Its address, without a slash at the end. */
  readonly url: string;
  /** Its own folder. nginx serves the files in `files`. */
  readonly folder: string;
  /** Ends it. Rejects with what it printed if it had failed before. */
  stop(): Promise<void>;
}

interface Launch {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The address, if the server does not print one. */
  readonly url?: string;
}

const STARTED_MS = 90_000;
/** The exit code of the shell for a server that SIGTERM ended. */
const TERMINATED = 128 + 15;
const packages = (name: string): string => join(SERVERS, name, 'node_modules');

const LAUNCHES: Readonly<Record<ServerName, (folder: string) => Launch | Promise<Launch>>> = {
  async nginx(folder) {
    const port = await freePort();
    mkdirSync(join(folder, 'files'));
    const config = readFileSync(join(__dirname, 'nginx.conf'), 'utf8');
    writeFileSync(join(folder, 'nginx.conf'), config.replaceAll('FOLDER', folder).replaceAll('PORT', String(port)));
    const own = join(SERVERS, 'nginx', 'usr', 'sbin', 'nginx');
    const program = existsSync(own) ? own : 'nginx';
    return { command: [program, '-c', join(folder, 'nginx.conf'), '-p', folder], url: `http://127.0.0.1:${port}` };
  },
  s3rver: (folder) => ({
    command: [process.execPath, join(__dirname, 's3rver.cjs'), packages('s3rver'), folder],
  }),
  swift(folder) {
    const root = join(SERVERS, 'swift', 'usr', 'lib');
    const env = {
      PYTHONPATH: join(root, 'python3', 'dist-packages'),
      LD_LIBRARY_PATH: join(root, `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`),
      PYTHONDONTWRITEBYTECODE: '1',
    };
    return { command: ['python3', join(__dirname, 'swift.py'), folder], env };
  },
  azurite: () => ({
    command: [
      ...[process.execPath, join(packages('azurite'), 'azurite', 'dist', 'src', 'blob', 'main.js')],
      ...['--blobHost', '127.0.0.1', '--blobPort', '0', '--inMemoryPersistence', '--silent', '--skipApiVersionCheck'],
      '--disableTelemetry',
    ],
  }),
  firebase: (folder) => ({
    command: [process.execPath, join(__dirname, 'firebase.cjs'), packages('firebase')],
    env: { TMPDIR: folder, XDG_CONFIG_HOME: folder },
  }),
};

/** A folder of `scripts/servers.sh`. */
type Installed = ServerName | 'clients' | 'dbos' | 'postgresql' | 'slurm' | 'undici';

/** True if `name`, a server or clients, was installed. Where CI tried in vain, its tests are skipped, too. */
function isThere(name: Installed): boolean {
  const folder = join(SERVERS, name);
  if (existsSync(join(folder, '.installed'))) return true;
  return process.env['TFR_REQUIRE_TOOLS'] !== undefined && !existsSync(join(folder, '.refused'));
}

/** `describe`, or a line that says what is missing. */
export function describeWith(...names: readonly Installed[]): jest.Describe {
  const missing = names.filter((name) => !isThere(name));
  if (missing.length === 0) return describe;
  console.log(`servers: skipped, no ${missing.join(', no ')} (sh scripts/servers.sh)`);
  return describe.skip;
}

/** Starts a server. Resolves when it answers. */
export async function startServer(name: ServerName): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), `tfr-${name}-`));
  const { command, env, url: known } = await LAUNCHES[name](folder);
  // The shell ends the server when its own input ends: also when the process of the test is killed.
  const child = spawn('sh', ['-c', '"$@" & cat >/dev/null; kill $!; wait $!', 'sh', ...command], {
    env: { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stop = async (): Promise<void> => {
    child.stdin.end();
    const code = await ended;
    rmSync(folder, { recursive: true, force: true });
    // A failure of the server must not look like one of what is tested.
    if (code !== 0 && code !== TERMINATED) throw new Error(`${name} ended with code ${code}: ${stdout}${stderr}`);
  };
  const until = Date.now() + STARTED_MS;
  for (;;) {
    const url = known ?? /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(stdout)?.[0];
    if (url !== undefined && (await answers(url))) return { url, folder, stop };
    if (Date.now() > until) {
      await stop();
      throw new Error(`${name} does not start: ${stdout}${stderr}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** Resolves with a port of loopback that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
