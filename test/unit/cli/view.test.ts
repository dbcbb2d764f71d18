/** The refusals of `tfrecord view` before it serves anything; test/integration/view-page.slow.test.ts has the rest. */
import { Folder } from '../../support/records/record-files';
import { runHere } from '../../support/running/run-here';

describe('tfrecord view', () => {
  const folder = new Folder();
  afterAll(() => folder.remove());

  it.each([
    [['-'], 'view jumps about in files, which standard input does not allow: save the data to a file first'],
    [['--port', '65536', 'a'], 'A port is a number up to 65535'],
    [['--port', 'http', 'a'], 'A port is a number up to 65535'],
    [['.'], 'there is no TFRecord file in ., or below'],
  ])('%j is wrong use', async (args, message) => {
    const { code, stdout, stderr } = await runHere(['view', ...args], { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('ends with an error if none of the files is there', async () => {
    const { code, stderr } = await runHere(['view', 'missing', 'none-*'], { cwd: folder.path });
    expect(code).toBe(1);
    expect(stderr).toMatch(/ENOENT.*'missing'[^]*ENOENT.*'none-\*'/);
  });
});
