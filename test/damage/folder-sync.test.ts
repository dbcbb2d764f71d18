/**
 * If syncing the folder fails, the last step of an atomic file, `close` rejects and says that the file has its name.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';

import { onLinux } from '../support/on-linux';
import { CASE_TIMEOUT, endedWell, runCase } from '../support/running/run-case';
import { Folder } from '../support/records/record-files';

/** Source of a library that replaces `fsync`, so that syncing a folder always fails. */
const FAILING = `
#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
int fsync(int fd) {
  struct stat info;
  if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) { errno = EIO; return -1; }
  return (int)syscall(SYS_fsync, fd);
}
`;

const hasCompiler = spawnSync('cc', ['--version']).status === 0;
// A sanitizer is also preloaded, and has its own fsync.
const withPreload = hasCompiler && process.env['TFRECORD_SANITIZER'] === undefined ? onLinux : test.skip;

withPreload(
  'close rejects and says that the file is there and may not survive a power cut',
  async () => {
    const folder = new Folder();
    try {
      const library = folder.at('failing.so');
      writeFileSync(folder.at('failing.c'), FAILING);
      execFileSync('cc', ['-shared', '-fPIC', '-o', library, folder.at('failing.c')]);
      const args = [folder.at('a.tfrecord')];
      const result = await runCase('lifecycle/cases/limits/write-one', { args, env: { LD_PRELOAD: library } });
      const message = 'The file is whole and has its name, but may not survive a power cut';
      expect(result).toEqual(
        endedWell({
          code: 'EIO',
          syscall: 'fsync',
          file: folder.at('a.tfrecord'),
          message: expect.stringContaining(message) as string,
          records: 1,
        }),
      );
      expect(readdirSync(folder.path).sort()).toEqual(['a.tfrecord', 'failing.c', 'failing.so']);
    } finally {
      folder.remove();
    }
  },
  CASE_TIMEOUT,
);
