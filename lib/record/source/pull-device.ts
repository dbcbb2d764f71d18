import { close, constants, openSync, read } from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';

import type { ChunkPull } from './pull-bytes';
import { pullNodeStream } from './pull-stream';

const READ_BYTES = 256 * 1024;
/** Between two looks at a device that has nothing yet, in milliseconds: the second is the longest. */
const FIRST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 50;

const readInto = promisify(read);

/**
 * The terminal or other device at `path`. No read waits for what is not there yet: a terminal where nobody types would
 * hold one of Node's threads, and with it the end of the process. The chunk is valid until the next call.
 * @throws Node's error when it cannot be opened.
 */
export function pullDevice(path: string): ChunkPull {
  // Windows has neither flag.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants as Partial<typeof constants>;
  const fd = openSync(path, (O_RDONLY ?? 0) | O_NONBLOCK | O_NOCTTY);
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  let open = true;
  let reading = false;
  let wake = (): void => undefined;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  // What closing fails with has nobody left to tell.
  const shut = (): void => close(fd, () => undefined);

  return {
    async next() {
      for (let wait = FIRST_WAIT_MS; open; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
        reading = true;
        try {
          const { bytesRead } = await readInto(fd, buffer, 0, READ_BYTES, null);
          return bytesRead === 0 || !open ? undefined : buffer.subarray(0, bytesRead);
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          if (code === 'EOF') return undefined; // Windows, at the end
          if (code !== 'EAGAIN') throw error;
        } finally {
          reading = false;
          // The descriptor's number must not be another file's while a thread reads it.
          if (!open) shut();
        }
        await pause(wait);
      }
      return undefined;
    },
    close() {
      if (open) {
        open = false;
        if (!reading) shut();
        wake();
      }
      return Promise.resolve();
    },
  };
}

/**
 * The named pipe at `path`. It is read when it has something, so that one without a writer, or with a silent one, holds
 * no thread: a stream of `fs` would block one of Node's four, and with it the end of the process.
 * @throws Node's error when it cannot be opened.
 */
export function pullPipe(path: string): ChunkPull {
  // Returns at once, writer or not.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return pullNodeStream(new Socket({ fd, readable: true, writable: false }));
}
