import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';

import { Progress } from '../../../lib/cli/terminal/progress';
import { run } from '../../../lib/cli/run';
import { LineWriter, wantsColor, type Streams } from '../../../lib/cli/terminal/streams';
import { Folder } from '../../support/records/record-files';
import { Screen } from '../../support/running/run-here';

function streams(tty: { stdout?: boolean; stderr?: boolean } = {}, env: Streams['env'] = {}) {
  return { stdin: new PassThrough(), stdout: new Screen(tty.stdout), stderr: new Screen(tty.stderr), env };
}

describe('LineWriter', () => {
  it('writes lines in order, collected', async () => {
    const screen = new Screen();
    const lines = new LineWriter(screen);
    expect(lines.line('a')).toBeUndefined();
    expect(lines.line('b')).toBeUndefined();
    expect(screen.text).toBe('');
    await lines.flush();
    expect(screen.text).toBe('a\nb\n');
  });

  it('makes its caller wait until a slow stream has taken a chunk', async () => {
    const pending: (() => void)[] = [];
    const slow = new Writable({ write: (_chunk, _encoding, done) => void pending.push(done) });
    const waiting = new LineWriter(slow).line('x'.repeat(70_000));
    let settled = false;
    void waiting!.then(() => (settled = true));
    await new Promise(setImmediate);
    expect(settled).toBe(false);
    pending.shift()!();
    await waiting;
    expect(settled).toBe(true);
  });

  it('is closed, without an error, when the reader of a pipe goes away', async () => {
    const gone = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    });
    const lines = new LineWriter(gone);
    void lines.line('a');
    await lines.flush();
    expect(lines.closed).toBe(true);
    void lines.line('b');
    await lines.flush();
  });

  it('throws any other error, then and later', async () => {
    const full = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' })),
    });
    const lines = new LineWriter(full);
    void lines.line('a');
    await expect(lines.flush()).rejects.toThrow('ENOSPC');
    await expect(lines.flush()).rejects.toThrow('ENOSPC');
    expect(lines.closed).toBe(true);
  });
});

describe('Progress', () => {
  let now = 0;
  beforeEach(() => {
    now = 1_000_000;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
  });
  let shown: Progress | undefined;
  afterEach(() => {
    // A bar that is left behind keeps the process alive.
    shown?.clear();
    jest.restoreAllMocks();
  });

  function draw(setup: ReturnType<typeof streams>, total: number | undefined, allowed = true): Progress {
    const progress = (shown = new Progress(setup, total, allowed));
    progress.update({ bytes: 1, records: 1 });
    expect(setup.stderr.text).toBe('');
    now += 2000;
    progress.update({ bytes: 5_000_000, records: 1234 });
    return progress;
  }

  it('shows a bar on a terminal once the work is long, and takes it away', () => {
    const setup = streams({ stderr: true });
    const progress = draw(setup, 10_000_000);
    expect(setup.stderr.text).toContain('50 %');
    expect(setup.stderr.text).toContain('1,234 records, 5 MB  2 s left');
    setup.stderr.text = '';
    progress.clear();
    // The line is erased.
    expect(setup.stderr.text).toContain('\x1b[2K');
    setup.stderr.text = '';
    progress.clear();
    expect(setup.stderr.text).toBe('');
  });

  it('counts when the size is not known', () => {
    const setup = streams({ stderr: true });
    const progress = draw(setup, undefined);
    expect(setup.stderr.text).toContain('1,234 records, 5 MB');
    expect(setup.stderr.text).not.toContain('%');
    progress.clear();
  });

  it.each([
    ['without a terminal', streams(), true],
    ['against the user', streams({ stderr: true }), false],
    ['on a dumb terminal', streams({ stderr: true }, { TERM: 'dumb' }), true],
  ])('is silent %s', (_name, setup, allowed) => {
    draw(setup, 10, allowed).clear();
    expect(setup.stderr.text).toBe('');
  });
});

describe('colour', () => {
  it.each([
    [true, {}, true],
    [true, { TERM: 'xterm' }, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
  ])('terminal %j, environment %j: %j', (isTTY, env, expected) => {
    expect(wantsColor({ isTTY }, env)).toBe(expected);
  });

  it('is used for verdicts on a terminal, and not with NO_COLOR', async () => {
    const folder = new Folder();
    try {
      const file = folder.write('a.tfrecord', [Buffer.from('x')]);
      const plain = `ok: ${file}: 1 record, 1 byte\n`;
      const colored = streams({ stdout: true });
      expect(await run(['verify', file], colored).code).toBe(0);
      expect(colored.stdout.text).toBe(plain.replace('ok', '\x1b[32mok\x1b[39m'));
      const bare = streams({ stdout: true }, { NO_COLOR: '1' });
      expect(await run(['verify', file], bare).code).toBe(0);
      expect(bare.stdout.text).toBe(plain);
    } finally {
      folder.remove();
    }
  });
});

it('help into a pipe that closes early is no error', async () => {
  const setup = streams();
  const failed = once(setup.stdout, 'error');
  setup.stdout._write = (_chunk, _encoding, done: (error?: Error) => void) => {
    done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  };
  expect(await run(['--help'], setup).code).toBe(0);
  await failed;
});
