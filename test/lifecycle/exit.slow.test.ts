/** A process with open readers and writers ends when, and how, its program says. */
import { CASE_TIMEOUT, ended, endedWell, runCase } from '../support/running/run-case';
import { Folder, numberedRecords } from '../support/records/record-files';

jest.setTimeout(CASE_TIMEOUT);

/** A collected reader may warn, if the collector runs. */
const QUIET = ['--no-warnings'];

const folder = new Folder();
const records = numberedRecords(20_000, 100);
const files = {
  plain: folder.write('plain.tfrecord', records),
  gzip: folder.write('packed.tfrecord.gz', records),
  zlib: folder.write('packed.tfrecord.zlib', records),
};
afterAll(() => folder.remove());

describe.each(Object.entries(files))('readers of a %s file', (_, file) => {
  test.each([
    ['stopped mid-way', false],
    ['never read', 0],
    ['iterator abandoned', false],
    ['waits for a chunk', false],
    ['kept by a global', 8],
  ])('%s: the process ends by itself', async (way, said) => {
    expect(await runCase('lifecycle/cases/exit/reader-left', { args: [file, way], flags: QUIET })).toEqual(
      endedWell(said),
    );
  });

  test.each(['files', 'chunks'])('process.exit in mid-read of %s ends at once, with its code', async (source) => {
    const result = await runCase('lifecycle/cases/exit/reader-busy', { args: [file, `process.exit, ${source}`] });
    expect(result).toEqual(ended(7, 'reading'));
  });

  test('an uncaught exception in mid-read ends with code 1 and the exception', async () => {
    const result = await runCase('lifecycle/cases/exit/reader-busy', { args: [file, 'throw'] });
    expect(result).toEqual({ ...ended(1, 'reading'), stderr: expect.stringContaining('nobody catches this') });
  });

  test('SIGTERM in mid-read ends with that signal', async () => {
    const args = [file, 'killed'];
    const result = await runCase('lifecycle/cases/exit/reader-busy', { args, signal: 'SIGTERM' });
    expect(result).toEqual({ code: null, signal: 'SIGTERM', said: ['reading'], stderr: '', timedOut: false });
  });
});

describe('writers that were forgotten', () => {
  let target: Folder;
  beforeEach(() => (target = new Folder()));
  afterEach(() => target.remove());

  test.each([
    ['atomic', [], 'Nothing appears under that name'],
    ['in place', ['out.tfrecord'], 'The file is incomplete'],
    ['stream', [], 'The stream is given up'],
    ['with a signal', [], 'Nothing appears under that name'],
  ])('%s: a warning with the name of the file when one is collected', async (way, names, fate) => {
    const args = [target.path, way];
    const { said, ...rest } = await runCase('lifecycle/cases/exit/writer-forgotten', { args, flags: ['--expose-gc'] });
    const file = way === 'stream' ? '<stream>' : target.at('out.tfrecord');
    expect(rest).toMatchObject({ code: 0, timedOut: false });
    expect(said).toEqual([
      { name: 'TFRecordWarning', code: 'TFR_WRITER_LEFT', message: expect.stringContaining(`${file} was dropped`) },
      expect.stringContaining(fate),
      { stream: way === 'stream' ? 'TFR_CLOSED' : null },
      { unhandled: 0 },
    ]);
    expect(target.names()).toEqual(names);
  });
});

describe('writers that were left open', () => {
  const left = (what: string): RegExp =>
    new RegExp(
      `\\[TFR_WRITER_LEFT\\] TFRecordWarning: The ${what} ended before close\\(\\) was called on the writer of ` +
        '\\S+plain\\.tfrecord \\(nothing appears under that name[^)]*\\), .*packed\\.tfrecord\\.gz .*packed\\.tfrecord\\.zlib ',
    );
  const LEFT = left('process');
  let target: Folder;
  beforeEach(() => (target = new Folder()));
  afterEach(() => target.remove());

  test.each(['naturally', 'naturally, flushed'])(
    'a process that ends %s leaves neither file nor temporary file, and a warning names the files',
    async (end) => {
      const result = await runCase('lifecycle/cases/exit/writer-left', { args: [target.path, end] });
      expect(result).toEqual({ ...endedWell('written'), stderr: expect.stringMatching(LEFT) as string });
      expect(target.names()).toEqual([]);
    },
  );

  test.each([
    ['worker', 'worker thread'],
    ['page', 'page'],
  ])('a warning names what ended: %s', async (end, what) => {
    const result = await runCase('lifecycle/cases/exit/writer-left', { args: [target.path, end] });
    expect(result).toEqual({ ...endedWell('written'), stderr: expect.stringMatching(left(what)) as string });
    expect(target.names()).toEqual([]);
  });

  test('a warning can be turned off, as any of Node', async () => {
    const args = [target.path, 'naturally'];
    expect(await runCase('lifecycle/cases/exit/writer-left', { args, flags: QUIET })).toEqual(endedWell('written'));
  });

  test.each(['closed', 'aborted', 'closed at beforeExit', 'disposed'])(
    'nothing is told of writers that were %s',
    async (end) => {
      expect(await runCase('lifecycle/cases/exit/writer-left', { args: [target.path, end] })).toEqual(
        endedWell('written'),
      );
      expect(target.names()).toHaveLength(end.startsWith('closed') ? 3 : 0);
    },
  );

  // Node runs no clean-up hooks then, so temporary files may stay; none has the name of a whole file.
  const TEMPORARY = /^\.(plain\.tfrecord|packed\.tfrecord\.(gz|zlib))\.\d+-[0-9a-f]+\.tmp$/;

  test.each([
    ['process.exit', { ...ended(7, 'written'), stderr: expect.stringMatching(LEFT) as string }],
    ['throw', { ...ended(1, 'written'), stderr: expect.stringContaining('nobody catches this') as string }],
  ])('%s in mid-write ends at once and leaves nothing under the final names', async (end, expected) => {
    expect(await runCase('lifecycle/cases/exit/writer-left', { args: [target.path, end] })).toEqual(expected);
    for (const name of target.names()) expect(name).toMatch(TEMPORARY);
  });

  test('SIGTERM in mid-write leaves nothing under the final names', async () => {
    const result = await runCase('lifecycle/cases/exit/writer-left', {
      args: [target.path, 'killed'],
      signal: 'SIGTERM',
    });
    expect(result).toEqual({ code: null, signal: 'SIGTERM', said: ['written'], stderr: '', timedOut: false });
    expect(target.names()).toHaveLength(3);
    for (const name of target.names()) expect(name).toMatch(TEMPORARY);
  });
});

describe('a conversion whose condition is one call of DuckDB, which nothing interrupts,', () => {
  let target: Folder;
  beforeEach(() => (target = new Folder()));
  afterEach(() => target.remove());
  const run = (way: string, signal?: NodeJS.Signals): Promise<unknown> =>
    runCase('lifecycle/cases/exit/slow-condition', { args: [target.path, way], ...(signal && { signal }) });

  test.each(['rows', 'constant'])('rejects at once when its signal aborts: %s', async (way) => {
    const said = ['the reason'];
    expect(await run(way, 'SIGTERM')).toEqual({ code: null, signal: 'SIGTERM', said, stderr: '', timedOut: false });
    expect(target.names()).toEqual(['in.tfrecord']);
  });

  test('lets the process exit afterwards', async () => {
    expect(await run('process.exit')).toEqual(ended(7, 'the reason'));
  });

  test('ends before it rejects in a worker, which can be terminated then', async () => {
    expect(await run('worker')).toEqual(endedWell(['the reason'], 1));
  });
});
