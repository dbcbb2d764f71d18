/** If the system cannot start a thread, every call that needs one fails with a coded error that names the file. */
import { onLinux } from '../support/on-linux';
import { Folder, numberedRecords } from '../support/records/record-files';
import { CASE_TIMEOUT, endedWell, runCase } from '../support/running/run-case';

const folder = new Folder();
const file = folder.write('some.tfrecord', numberedRecords(10, 100));
afterAll(() => folder.remove());

// A sanitizer maps terabytes, so it cannot run under a memory limit.
const onPlainLinux = process.env['TFRECORD_SANITIZER'] === undefined ? onLinux : test.skip;

onPlainLinux(
  'refused threads',
  async () => {
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
    const args = [file, folder.path];
    const result = await runCase('lifecycle/cases/limits/few-threads', { args, shell: 'ulimit -s 1048576' });
    const expected = [
      error('readRecords', file),
      error('a stream', '<stream>'),
      error('readRecordsSync', file),
      error('readExamples', file),
      error('RecordWriter', folder.at('new')),
    ];
    expect(result).toEqual(endedWell(...expected));
  },
  CASE_TIMEOUT,
);
