/** The refusals of `tfrecord view` before it serves anything; test/integration/pages/view-page.slow.test.ts has the rest. */
import { chmodSync, mkdirSync } from 'node:fs';

import { Folder } from '../../support/records/record-files';
import { cliResult, startCli } from '../../support/running/run-cli';
import { runHere } from '../../support/running/run-here';

describe('tfrecord view', () => {
  const folder = new Folder();
  afterAll(() => folder.remove());

  it.each([
    [['-'], 'view jumps about in files, which standard input does not allow: save the data to a file first'],
    [['--port', '65536', 'a'], 'A port is a number up to 65535'],
    [['--port', 'http', 'a'], 'A port is a number up to 65535'],
    [['.'], 'there is no TFRecord file in or below .\n'],
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

  it('says on standard error that it serves, and that no browser was opened', async () => {
    const file = folder.put('a.tfrecord', '');
    // A machine that has the opener, and no browser.
    mkdirSync(folder.at('bin'));
    folder.put('bin/xdg-open', '#!/bin/sh\nexit 3\n');
    chmodSync(folder.at('bin/xdg-open'), 0o755);
    const path = process.env['PATH'];
    process.env['PATH'] = `${folder.at('bin')}:${path}`;
    const child = startCli(['view', '--open', file]);
    process.env['PATH'] = path;
    await noBrowser(child);
  });

  it('goes on without a place for the file that opens the browser', async () => {
    const file = folder.put('a.tfrecord', '');
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder.at('nowhere');
    const child = startCli(['view', '--open', file]);
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await noBrowser(child);
  });

  async function noBrowser(child: ReturnType<typeof startCli>): Promise<void> {
    const said = new Promise((resolve) => {
      let text = '';
      child.stderr!.on('data', (data: Buffer) => {
        text += String(data);
        if (text.split('\n').length > 2) resolve(text);
      });
    });
    expect(await said).toBe(
      'tfrecord: note: serving 1 file to this machine only; Ctrl-C ends it\n' +
        'tfrecord: note: no browser was opened: open the address yourself\n',
    );
    const result = cliResult(child);
    child.kill('SIGINT');
    expect((await result).code).toBe(130);
  }
});
