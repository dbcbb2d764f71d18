/**
 * The workflow of examples/durable with DBOS on a real PostgreSQL: killed at several places and started again, it does no part
 * twice that had ended, and its files are, byte for byte, those of a run without a kill.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { encodeExample, int64, readRecords, writeRecords } from '../../../lib';
import { ROOT } from '../../support/running/compiled-sources';
import { Postgres } from '../../support/servers/postgres';
import { describeWith, SERVERS } from '../../support/servers/servers';

const INPUTS = 12;
const RECORDS = 20_000;
const PARTS = 3;
const ALL = `${INPUTS * RECORDS} records in ${INPUTS} files`;
const line = (part: number, kept: number): string =>
  `part ${part} of ${PARTS}: ${(INPUTS / PARTS) * RECORDS} records, ${INPUTS / PARTS} files, ${kept} of them were there`;

interface Client {
  connect(): Promise<void>;
  query(text: string): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
  end(): Promise<void>;
}

describeWith('postgresql', 'dbos')('examples/durable', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tfr-durable-'));
  const at = (...names: readonly string[]): string => join(folder, ...names);
  let postgres: Postgres;
  let outputs = 0;
  const running = new Set<Run>();

  beforeAll(async () => {
    mkdirSync(at('node_modules', '@dbos-inc'), { recursive: true });
    cpSync(join(ROOT, 'examples', 'durable'), at(), { recursive: true });
    symlinkSync(ROOT, at('node_modules', 'tfrecord-native'));
    for (const name of ['pg', '@dbos-inc/dbos-sdk'])
      symlinkSync(join(SERVERS, 'dbos', 'node_modules', name), at('node_modules', name));
    mkdirSync(at('data'));
    for (let file = 0; file < INPUTS; file++) {
      const ids = Array.from({ length: RECORDS }, (_, i) => file * RECORDS + i);
      await writeRecords(
        at('data', `in-${String(file).padStart(2, '0')}.gz`),
        ids.map((id) => encodeExample({ id: int64(id) })),
      );
    }
    postgres = await Postgres.start();
    const client = await connected('postgres');
    await client.query('CREATE DATABASE conversion');
    await client.end();
  });
  afterAll(async () => {
    for (const run of running) await run.killed();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const connected = async (database: string): Promise<Client> => {
    const required = createRequire(join(SERVERS, 'dbos', 'package.json'));
    const { Client: Connection } = required('pg') as { Client: new (url: string) => Client };
    const client = new Connection(postgres.url(database));
    await client.connect();
    return client;
  };

  /** A folder of outputs, and how to begin and resume its job. */
  class Job {
    readonly folder = at(`out-${outputs++}`);

    start(input = at('data', 'in-*.gz')): Run {
      const run = new Run([input, join(this.folder, 'out.gz'), String(PARTS), String(INPUTS)]);
      running.add(run);
      return run;
    }

    /** Resolves as soon as `part` has finished a file, which its manifest then lists. */
    async finishesFileOf(part: number): Promise<void> {
      await until(() => this.finishedOf(part) > 0);
    }

    /** The number of finished files of `part`. */
    finishedOf(part: number): number {
      const manifest = join(this.folder, `out.gz.part-${part}-of-${PARTS}`, 'manifest.json');
      if (!existsSync(manifest)) return 0;
      return (JSON.parse(readFileSync(manifest, 'utf8')) as { outputs: readonly unknown[] }).outputs.length;
    }

    get files(): readonly Buffer[] {
      const names = readdirSync(this.folder).sort();
      expect(names).toEqual([
        ...Array.from({ length: INPUTS }, (_, i) => `out-${String(i).padStart(5, '0')}-of-000${INPUTS}.gz`),
        'out.gz.manifest.json',
      ]);
      return names.slice(0, INPUTS).map((name) => readFileSync(join(this.folder, name)));
    }
  }

  class Run {
    readonly #child: ChildProcess;
    readonly #ended: Promise<number | null>;
    printed = '';
    failed = '';

    constructor(args: readonly string[]) {
      this.#child = spawn(process.execPath, [at('convert.mjs'), ...args], {
        env: { ...process.env, NODE_OPTIONS: '', DBOS_SYSTEM_DATABASE_URL: postgres.url('conversion') },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      this.#child.stdout!.on('data', (text: Buffer) => (this.printed += String(text)));
      this.#child.stderr!.on('data', (text: Buffer) => (this.failed += String(text)));
      this.#ended = new Promise((resolve) => this.#child.once('close', resolve));
    }

    /** Resolves once the process has printed `text`. */
    async prints(text: string): Promise<void> {
      await until(() => {
        if (this.#child.exitCode !== null) expect(this.printed + this.failed).toContain(text);
        return this.printed.includes(text);
      });
    }

    async ends(): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> {
      const code = await this.#ended;
      running.delete(this);
      return { code, lines: this.printed.split('\n').slice(0, -1) };
    }

    async killed(): Promise<readonly string[]> {
      this.#child.kill('SIGKILL');
      return (await this.ends()).lines;
    }
  }

  let whole: readonly Buffer[];
  test('has the records of its inputs, in order, and does nothing when it is started again', async () => {
    const job = new Job();
    const lines = [...Array.from({ length: PARTS }, (_, part) => line(part, 0)), ALL];
    expect(await job.start().ends()).toEqual({ code: 0, lines });
    whole = job.files;
    let id = 0;
    for await (const record of readRecords(join(job.folder, 'out-*.gz'))) {
      if (!Buffer.from(encodeExample({ id: int64(id) })).equals(record)) throw new Error(`record ${id} is another`);
      id++;
    }
    expect(id).toBe(INPUTS * RECORDS);
    expect(await job.start().ends()).toEqual({ code: 0, lines: [ALL] });
  });

  test('killed before the first step ends, and in the middle of the second part', async () => {
    const job = new Job();
    const first = job.start();
    await job.finishesFileOf(0);
    expect(await first.killed()).toEqual([]);
    const kept = job.finishedOf(0);
    expect(kept).toBeLessThan(INPUTS / PARTS);
    const second = job.start();
    await job.finishesFileOf(1);
    expect(await second.killed()).toEqual([line(0, kept)]);
    const later = job.finishedOf(1);
    expect(later).toBeLessThan(INPUTS / PARTS);
    expect(await job.start().ends()).toEqual({ code: 0, lines: [line(1, later), line(2, 0), ALL] });
    expect(job.files).toEqual(whole);
  });

  test.each([
    ['part 1', [line(0, 0), line(1, 0)], [line(1, INPUTS / PARTS), line(2, 0), ALL]],
    ['merge', [line(0, 0), line(1, 0), line(2, 0)], [ALL]],
  ])('killed after %s, before the database knows it', async (step, before, after) => {
    const job = new Job();
    const held = await HeldStep.of(await connected('conversion'), step);
    try {
      const run = job.start();
      await held.waits();
      expect(await run.killed()).toEqual(before);
    } finally {
      await held.release();
    }
    expect(await job.start().ends()).toEqual({ code: 0, lines: after });
    expect(job.files).toEqual(whole);
  });

  test('of two processes, the second waits, and goes on when the first is killed', async () => {
    const job = new Job();
    const held = await HeldStep.of(await connected('conversion'), 'part 1');
    let second: Run;
    try {
      const first = job.start();
      await held.waits();
      second = job.start();
      await second.prints('another process converts: waiting until it ends\n');
      expect(await first.killed()).toEqual([line(0, 0), line(1, 0)]);
    } finally {
      await held.release();
    }
    const { code, lines } = await second.ends();
    expect([code, lines.slice(1)]).toEqual([0, [line(1, INPUTS / PARTS), line(2, 0), ALL]]);
    expect(job.files).toEqual(whole);
  });

  test('ends when the database goes away, and goes on with it', async () => {
    const job = new Job();
    const run = job.start();
    await job.finishesFileOf(1);
    await postgres.pause();
    expect(await run.ends()).toEqual({ code: 1, lines: [line(0, 0)] });
    expect(run.failed).toMatch(/^convert\.mjs: the database is gone: /m);
    const absent = job.start();
    expect(await absent.ends()).toEqual({ code: 1, lines: [] });
    expect(absent.failed).toMatch(/^convert\.mjs: .*ECONNREFUSED/m);
    await postgres.resume();
    const kept = job.finishedOf(1);
    expect(await job.start().ends()).toEqual({ code: 0, lines: [line(1, kept), line(2, 0), ALL] });
    expect(job.files).toEqual(whole);
  });

  test('a job that failed is begun anew', async () => {
    const job = new Job();
    const input = at('data', 'late-*.gz');
    const failing = job.start(input);
    expect(await failing.ends()).toEqual({ code: 1, lines: [] });
    expect(failing.failed).toMatch(/^convert\.mjs: ENOENT.*late-/m);
    // Damage is not tried again.
    writeFileSync(at('data', 'damaged-0.gz'), 'no records');
    const damaged = new Job().start(at('data', 'damaged-*.gz'));
    expect(await damaged.ends()).toEqual({ code: 1, lines: [] });
    expect(damaged.failed).toMatch(/^convert\.mjs: [^E].*damaged-0\.gz/m);
    cpSync(at('data', 'in-00.gz'), at('data', 'late-0.gz'));
    const { code, lines } = await job.start(input).ends();
    expect([code, lines.at(-1)]).toEqual([0, `${RECORDS} records in ${INPUTS / PARTS} files`]);
  });

  test.each([[['in']], [['in', 'out', '0']], [['in', 'out', 'x']], [['in', 'out', '2', '1e9']]])(
    'refuses the arguments %j',
    async (args) => {
      const run = new Run(args);
      expect(await run.ends()).toEqual({ code: 2, lines: [] });
      expect(run.failed).toBe('usage: convert.mjs INPUT OUTPUT [PARTS [FILES]]\n');
    },
  );
});

/** A step that has done its work, and whose end the database does not write down. */
class HeldStep {
  /** Of advisory locks. */
  static readonly #KEY = 42;
  static readonly #WAITING = `FROM pg_locks WHERE locktype = 'advisory' AND objid = ${this.#KEY} AND NOT granted`;

  private constructor(readonly client: Client) {}

  /** Holds the step `name` of each workflow until `release`. */
  static async of(client: Client, name: string): Promise<HeldStep> {
    await client.query(`SELECT pg_advisory_lock(${this.#KEY})`);
    await client.query(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.function_name = '${name}' THEN PERFORM pg_advisory_xact_lock(${this.#KEY}); END IF; RETURN NEW; END $$`);
    await client.query(
      'CREATE TRIGGER hold BEFORE INSERT ON dbos.operation_outputs FOR EACH ROW EXECUTE FUNCTION hold()',
    );
    return new HeldStep(client);
  }

  /** Resolves when a step is held. */
  async waits(): Promise<void> {
    await until(async () => (await this.client.query(`SELECT 1 ${HeldStep.#WAITING}`)).rows.length > 0);
  }

  /** Lets later steps end. The held one is lost: its process is dead, and the server would write it down without it. */
  async release(): Promise<void> {
    await this.client.query(`SELECT pg_terminate_backend(pid) ${HeldStep.#WAITING}`);
    await until(async () => (await this.client.query(`SELECT 1 ${HeldStep.#WAITING}`)).rows.length === 0);
    await this.client.query('DROP FUNCTION hold CASCADE');
    await this.client.end();
  }
}

/** Resolves once `holds`. Rejects after a minute, so that a failing test ends. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('what the test waits for did not happen in a minute');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
