import { tableText } from '../../../lib/cli/terminal/table';
import { PeopleFolder } from '../../support/records/people';
import { runHere, Screen } from '../../support/running/run-here';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

const HEAD = ['name', 'count', 'what'];
const ROWS = [
  ['a', '1', 'short'],
  ['x'.repeat(60), '12,345', 'y'.repeat(30)],
  ['猫', '7', ''],
];
const table = (columns: number | undefined): string[] => {
  const stdout = columns === undefined ? new Screen() : new Screen(true, columns);
  return tableText(HEAD, ROWS, { right: [1], stdout }).split('\n');
};

describe('tables', () => {
  it('align columns, numbers at the right', () => {
    expect(table(undefined)).toEqual([
      `name${' '.repeat(58)} count  what`,
      `a${' '.repeat(61)}     1  short`,
      `${'x'.repeat(60)}  12,345  ${'y'.repeat(30)}`,
      `猫${' '.repeat(60)}     7`,
    ]);
  });

  it.each([200, 100, 99, 80, 50, 40])('fit a window of %d', (columns) => {
    const lines = table(columns);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    expect(lines.join('').includes('…')).toBe(columns < 100);
    expect(lines[2]).toContain('12,345');
    expect(lines).toHaveLength(4);
  });

  it('have narrow columns in a narrow window', () => {
    for (const line of table(10)) expect(line.length).toBeLessThanOrEqual(26);
  });
});

describe('tables with a frame', () => {
  const framed = (columns: number): string[] => {
    return tableText(HEAD, ROWS, { framed: true, stdout: new Screen(true, columns) }).split('\n');
  };

  it('have columns that wide characters fit into', () => {
    const text = tableText(['a'], [['猫猫猫']], { framed: true, stdout: new Screen() });
    expect(text.split('\n')).toEqual(['┌────────┐', '│ a      │', '├────────┤', '│ 猫猫猫 │', '└────────┘']);
  });

  it.each([200, 100, 80, 50])('fit a window of %d', (columns) => {
    const lines = framed(columns);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    expect(lines.join('').includes('…')).toBe(columns < 108);
    expect(lines.join('')).toContain('12,345');
  });
});

describe('tfrecord info of several files', () => {
  it('is a table with a total', async () => {
    const { code, stdout } = await folder.here('info', 'people.tfrecord', 'people.tfrecord.gz', 'flipped.tfrecord');
    expect(code).toBe(1);
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(lines[0]).toEqual([
      'file',
      'compression',
      'bytes',
      'records',
      'payload',
      'min',
      'mean',
      'max',
      'record type',
    ]);
    expect(lines[1]!.slice(0, 2)).toEqual(['people.tfrecord', 'none']);
    expect(lines[2]![3]).toBe('5');
    expect(lines[3]![3]).toBe('3 before the fault');
    expect(lines[4]!.slice(0, 1)).toEqual(['total']);
    expect(lines[4]![2]).toBe('13');
  });

  it('fits the window', async () => {
    const stdout = new Screen(true, 70);
    await runHere(['info', 'people.tfrecord', 'people.tfrecord.gz'], { cwd: folder.path, stdout });
    for (const line of stdout.text.split('\n')) expect(line.length).toBeLessThanOrEqual(70);
  });
});
