/** If the system cannot start a thread, every call that needs one fails with a coded error that names the file. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { compiledSources, ROOT } from '../support/compiled-sources';
import { onLinux } from '../support/on-linux';
import { Folder, numberedRecords } from '../support/record-files';
import { CASE_TIMEOUT } from '../support/run-case';

const folder = new Folder();
const file = folder.write('some.tfrecord', numberedRecords(10, 100));
afterAll(() => folder.remove());

/** Returns the output of the case. */
function withoutThreads(): unknown[] {
  const script = join(compiledSources(), 'test', 'lifecycle', 'cases', 'few-threads.js');
  const addon = process.env['TFRECORD_NATIVE_BINDING'] ?? join(ROOT, 'build', 'Release', 'tfrecord.node');
  const args = ['-c', 'ulimit -s 1048576; exec "$@"', 'sh', process.execPath, script, file, folder.path];
  const { status, stdout, stderr } = spawnSync('sh', args, {
    encoding: 'utf8',
    timeout: CASE_TIMEOUT,
    env: { ...process.env, TFRECORD_NATIVE_BINDING: addon, NODE_OPTIONS: '' },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const said = stdout.split('\n').filter((line) => line !== '');
  return said.map((line): unknown => JSON.parse(line));
}

// A sanitizer maps terabytes, so it cannot run under a memory limit.
const onPlainLinux = process.env['TFRECORD_SANITIZER'] === undefined ? onLinux : test.skip;

onPlainLinux(
  'refused threads',
  () => {
    const error = (name: string, at: string): unknown => ({
      name,
      error: true,
      code: 'EAGAIN',
      file: at,
      syscall: 'pthread_create',
      message:
        `EAGAIN: resource temporarily unavailable, pthread_create '${at}'. ` +
        'The system cannot start a thread: raise its limit on processes or on memory.',
    });
    expect(withoutThreads()).toEqual([
      error('readRecords', file),
      error('a stream', '<stream>'),
      error('readRecordsSync', file),
      error('readExamples', file),
      error('RecordWriter', folder.at('new')),
      { unhandled: 0 },
    ]);
  },
  CASE_TIMEOUT,
);
