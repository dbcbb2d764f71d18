/** Bytes that `--on-error skip` gives up unread: the exit code, `--allow-loss`, and what the messages say. */
import { readFileSync } from 'node:fs';

import { END, PEOPLE, PeopleFolder, PLACES } from '../../support/records/people';
import { flipBit, HEADER_BYTES, ownMember, tfrecord } from '../../support/records/tfrecord';

const folder = new PeopleFolder();
afterAll(() => folder.remove());

const LOST = END - PLACES[3]!;
// Record 1 is damaged, and record 3 has a broken length, so that the rest cannot be read.
const damaged = flipBit(flipBit(tfrecord(PEOPLE), PLACES[1]! + HEADER_BYTES), PLACES[3]! + 1);
folder.put('lost.tfrecord', damaged);
// The length of record 0, of the second file, is broken, too.
folder.put('lost-1.tfrecord', flipBit(tfrecord(PEOPLE), 1));

const QUERY = `SELECT count(*) AS n FROM read_tfrecord($$lost.tfrecord$$)`;

const COMMANDS = [
  ['cat', 'lost.tfrecord'],
  ['head', 'lost.tfrecord'],
  ['grep', 'age', 'lost.tfrecord'],
  ['count', 'lost.tfrecord'],
  ['extract', '--feature', 'name', '-o', 'out', '--force', 'lost.tfrecord'],
  ['sql', '--csv', QUERY],
  ['convert', 'lost.tfrecord', 'good.tfrecord', '--force'],
  ['convert', 'lost.tfrecord', 'good.jsonl', '--force'],
  ['schema', 'lost.tfrecord'],
  ['info', 'lost.tfrecord'],
];

describe.each(COMMANDS)('%s %s', (...command) => {
  test('ends with 1 after bytes that were given up unread, and says how many', async () => {
    const { code, stderr } = await folder.here(...command, '--on-error', 'skip');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^tfrecord: error: TFR_CORRUPT_LENGTH: ${LOST} bytes of lost\\.tfrecord were given up unread, and 1 record was skipped\\. .*--allow-loss.*$`,
        'm',
      ),
    );
    // Once, however often a command reads its input.
    expect(stderr.match(/given up unread, and/g)).toHaveLength(1);
    expect(stderr.match(/tfrecord: warning/g)).toHaveLength(2);
  });

  test('ends with 0 with --allow-loss, which leaves a note', async () => {
    const { code, stderr } = await folder.here(...command, '--on-error', 'skip', '--allow-loss');
    expect(code).toBe(0);
    expect(stderr).not.toContain('error:');
    expect(stderr).toMatch(
      new RegExp(
        `^tfrecord: note: ${LOST} bytes of lost\\.tfrecord were given up unread, and 1 record was skipped$`,
        'm',
      ),
    );
  });
});

test('--on-error stop was asked to give up the rest: 0', async () => {
  const { code, stderr } = await folder.here('count', '--on-error', 'stop', 'lost.tfrecord');
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('given up')]);
});

test('several files are counted together', async () => {
  const { code, stderr } = await folder.here('count', '--on-error', 'skip', 'lost.tfrecord', 'lost-1.tfrecord');
  expect(code).toBe(1);
  expect(stderr).toContain(`${LOST + END} bytes of 2 files were given up unread, and 1 record was skipped.`);
});

test('records that were skipped singly are only warned of', async () => {
  const { code, stderr } = await folder.here('count', '--on-error', 'skip', 'flipped.tfrecord');
  expect(code).toBe(0);
  expect(stderr).toMatch(/^tfrecord: warning: TFR_CORRUPT_DATA: .*\n$/);
});

describe('convert', () => {
  test('keeps the output, and its note and its report say what was given up', async () => {
    const result = await folder.here('convert', 'lost.tfrecord', 'kept.tfrecord', '--on-error', 'skip');
    expect(result.stderr).toMatch(
      new RegExp(`note: 2 records, \\d+ bytes in kept\\.tfrecord, 2 faults skipped, ${LOST} bytes given up unread; it`),
    );
    expect(readFileSync(folder.at('kept.tfrecord'))).toEqual(tfrecord([PEOPLE[0]!, PEOPLE[2]!]));
    const json = await folder.here('convert', 'lost.tfrecord', 'json.tfrecord', '--on-error', 'skip', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ records: 2, skipped: 2, lostBytes: LOST });
  });

  test('a job that is up to date, and merged parts, still say it', async () => {
    const args = ['convert', 'lost.tfrecord', 'again.tfrecord', '--on-error', 'skip', '--resume'];
    expect((await folder.here(...args)).code).toBe(1);
    const again = await folder.here(...args);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`${LOST} bytes given up unread`)]);
    expect((await folder.here(...args, '--allow-loss')).code).toBe(0);

    await folder.here('convert', 'lost.tfrecord', 'p.tfrecord', '--on-error', 'skip', '--shard', '0/1');
    const merged = await folder.here('merge', 'p.tfrecord');
    expect([merged.code, merged.stderr]).toEqual([0, expect.stringContaining(`${LOST} bytes given up unread`)]);
  });
});

describe('warnings do not advise what is on', () => {
  test.each(['skip', 'stop'])('--on-error %s', async (action) => {
    const { stderr } = await folder.here('count', '--on-error', action, 'lost.tfrecord', 'flipped.tfrecord');
    const warnings = stderr.split('\n').filter((line) => line.startsWith('tfrecord: warning'));
    expect(warnings.length).toBeGreaterThan(0);
    for (const warning of warnings) expect(warning).not.toContain('--on-error');
    expect((await folder.here('count', 'flipped.tfrecord')).stderr).toContain('--on-error skip loses this record only');
  });
});

describe('verify names the cure', () => {
  test('for records that are damaged singly', async () => {
    const { stderr } = await folder.here('verify', 'flipped.tfrecord');
    expect(stderr).toBe(
      'tfrecord: note: to save the 4 whole records: tfrecord convert --on-error skip flipped.tfrecord OUT\n',
    );
  });

  test('for a rest that cannot be read', async () => {
    const { stderr } = await folder.here('verify', 'lost.tfrecord');
    expect(stderr).toBe(
      'tfrecord: note: to save the 2 whole records, and others that a search finds: tfrecord repair lost.tfrecord OUT\n',
    );
  });

  test('but not where nothing is to be saved, nor for programs', async () => {
    expect((await folder.here('verify', 'lost-1.tfrecord')).stderr).toBe('');
    expect((await folder.here('verify', '--json', 'lost.tfrecord')).stderr).toBe('');
    expect((await folder.here('verify', 'people.tfrecord')).stderr).toBe('');
  });

  test('quoted for the shell', async () => {
    folder.put("a b'c.tfrecord", damaged);
    expect((await folder.here('verify', "a b'c.tfrecord")).stderr).toContain(` 'a b'\\''c.tfrecord' OUT\n`);
  });
});

test('a damaged gzip member that we wrote gives up that member only; a wrong trailer gives up nothing', async () => {
  const members = PEOPLE.map((person) => ownMember(tfrecord([person]), 1));
  const start = members[0]!.length;
  const broken = flipBit(flipBit(Buffer.concat(members), start + 28, 1), start + 28, 2);
  folder.put('member.tfrecord.gz', broken);
  const others = PEOPLE.filter((_, index) => index !== 1);
  for (const allows of [false, true]) {
    const args = ['convert', 'member.tfrecord.gz', 'others.tfrecord', '--force', '--on-error', 'skip'];
    const { code, stderr } = await folder.here(...args, ...(allows ? ['--allow-loss'] : []));
    expect(code).toBe(allows ? 0 : 1);
    expect(readFileSync(folder.at('others.tfrecord'))).toEqual(tfrecord(others));
    expect(stderr).toMatch(
      new RegExp(
        `^tfrecord: warning: TFR_COMPRESSION: Damaged deflate data in member\\.tfrecord\\.gz, record 1, .* Reading goes on with the ` +
          `gzip member at compressed byte ${start + members[1]!.length}; \\d+ bytes before that cannot be read\\. Restore the file\\.$`,
        'm',
      ),
    );
    expect(stderr).toMatch(
      /^tfrecord: (?:error: TFR_COMPRESSION|note): \d+ bytes of member\.tfrecord\.gz were given up/m,
    );
  }
  folder.put('trailer.tfrecord.gz', flipBit(Buffer.concat(members), start + members[1]!.length - 8));
  const trailer = await folder.here('cat', 'trailer.tfrecord.gz', '--on-error', 'skip');
  expect([trailer.code, trailer.stdout.trimEnd().split('\n').length]).toEqual([0, PEOPLE.length]);
  expect(trailer.stderr).toContain('Wrong gzip trailer CRC32');
});
