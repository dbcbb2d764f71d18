import { PEOPLE, PeopleFolder } from '../support/people';
import { runCli } from '../support/run-cli';
import { tfrecord } from '../support/tfrecord';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

describe('tfrecord count', () => {
  it('gives one number for one file, and a total for several', async () => {
    expect(await folder.run('count', 'people.tfrecord.gz')).toMatchObject({ code: 0, stdout: '5\n', stderr: '' });
    expect((await folder.run('count', 'people.tfrecord', 'people.tfrecord.gz')).stdout).toBe(
      '5\tpeople.tfrecord\n5\tpeople.tfrecord.gz\n10\ttotal\n',
    );
    expect((await runCli(['count', '-'], { input: tfrecord(PEOPLE) })).stdout).toBe('5\n');
  });

  it('gives one JSON object a file', async () => {
    const { stdout } = await folder.run('count', '--json', 'people.tfrecord', 'people.tfrecord.gz');
    expect(stdout).toBe(
      '{"file":"people.tfrecord","records":5,"skipped":0}\n{"file":"people.tfrecord.gz","records":5,"skipped":0}\n',
    );
  });

  it('says in JSON how much was skipped', async () => {
    const { code, stdout } = await folder.run('count', '--json', '--on-error', 'skip', 'flipped.tfrecord');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"file":"flipped.tfrecord","records":4,"skipped":1}\n' });
  });

  it('goes on behind a file that fails', async () => {
    const { code, stdout, stderr } = await folder.run('count', 'flipped.tfrecord', 'none*', 'people.tfrecord');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '5\tpeople.tfrecord\n5\ttotal\n' });
    expect(stderr).toMatch(/ENOENT.*none\*/);
    expect(stderr).toMatch(/TFR_CORRUPT_DATA.*flipped/);
  });
});
