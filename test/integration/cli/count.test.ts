import { PEOPLE, PeopleFolder, PLACES } from '../../support/records/people';
import { runCli } from '../../support/running/run-cli';
import { flipBit, tfrecord } from '../../support/records/tfrecord';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

describe('tfrecord count', () => {
  it('gives one number for one file, and a total for several', async () => {
    expect(await folder.here('count', 'people.tfrecord.gz')).toMatchObject({ code: 0, stdout: '5\n', stderr: '' });
    expect((await folder.here('count', 'people.tfrecord', 'people.tfrecord.gz')).stdout).toBe(
      '5\tpeople.tfrecord\n5\tpeople.tfrecord.gz\n10\ttotal\n',
    );
    expect((await runCli(['count', '-'], { input: tfrecord(PEOPLE) })).stdout).toBe('5\n');
  });

  it('gives one JSON object a file', async () => {
    const { stdout } = await folder.here('count', '--json', 'people.tfrecord', 'people.tfrecord.gz');
    expect(stdout).toBe(
      '{"file":"people.tfrecord","records":5,"skipped":0,"lostBytes":0}\n{"file":"people.tfrecord.gz","records":5,"skipped":0,"lostBytes":0}\n',
    );
  });

  it('says in JSON how much was skipped', async () => {
    const { code, stdout } = await folder.here('count', '--json', '--on-error', 'skip', 'flipped.tfrecord');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: '{"file":"flipped.tfrecord","records":4,"skipped":1,"lostBytes":0}\n',
    });
  });

  it('says in JSON how many bytes were not read behind a broken length', async () => {
    const whole = tfrecord(PEOPLE);
    folder.put('short.tfrecord', flipBit(whole, PLACES[3]! + 1));
    const { code, stdout } = await folder.here('count', '--json', '--on-error', 'skip', 'short.tfrecord');
    const lostBytes = whole.length - PLACES[3]!;
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: `{"file":"short.tfrecord","records":3,"skipped":1,"lostBytes":${lostBytes}}\n`,
    });
  });

  it('goes on behind a file that fails', async () => {
    const { code, stdout, stderr } = await folder.here('count', 'flipped.tfrecord', 'none*', 'people.tfrecord');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '5\tpeople.tfrecord\n5\ttotal\n' });
    expect(stderr).toMatch(/ENOENT.*none\*/);
    expect(stderr).toMatch(/TFR_CORRUPT_DATA.*flipped/);
  });
});
