import { close, constants, openSync, read } from 'node:fs';
import { promisify } from 'node:util';

import { codeOf, fromNodeError } from '../../base';
import type { ByteSource, ChunkPull } from './byte-source';
import { pullNodeStream } from './pull-stream';
import { StreamSource } from './stream-source';

const READ_BYTES = 256 * 1024;
/** Shortest and longest wait before a device without data is read again, in milliseconds. */
const FIRST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 50;

const readInto = promisify(read);

/**
 * Pulls from the terminal or other device at `path`. Reads do not block: a terminal where nobody types would block one of
 * Node's threads, and then the process could not end. A chunk is valid until the next call.
 * @throws Node's error if the device cannot be opened.
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
  // Nobody is left to handle an error of closing.
  const shut = (): void => close(fd, () => undefined);

  return {
    async next() {
      for (let wait = FIRST_WAIT_MS; open; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
        reading = true;
        try {
          const { bytesRead } = await readInto(fd, buffer, 0, READ_BYTES, null);
          return bytesRead === 0 || !open ? undefined : buffer.subarray(0, bytesRead);
        } catch (error) {
          const code = codeOf(error);
          if (code === 'EOF') return undefined; // Windows, at the end
          if (code !== 'EAGAIN') throw error;
        } finally {
          reading = false;
          // Not before: the number could become another file's descriptor while a thread still reads it.
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
 * Pulls from the named pipe at `path`. It is read through a socket, which waits for data without a thread. A stream of
 * `fs` would block one of Node's four threads while there is no writer or no data, and then the process could not end.
 * @throws Node's error if the pipe cannot be opened.
 */
export function pullPipe(path: string): ChunkPull {
  // O_NONBLOCK: returns at once, even without a writer.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- takes 0.3 MB of heap: loaded when it is first used
  const { Socket } = require('node:net');
  return pullNodeStream(new Socket({ fd, readable: true, writable: false }));
}

/** The pipe, terminal or device at `at`. Native threads must not read these: they would block without limit. */
export function specialFile(file: string, at: string, pipe: boolean): ByteSource {
  const open = (): ChunkPull => {
    try {
      return withErrors(file, pipe ? pullPipe(at) : pullDevice(at));
    } catch (cause) {
      throw fromNodeError(cause, file, 'open');
    }
  };
  return new StreamSource(open, file);
}

/** Returns `pull` with its system errors converted to TFRecordErrors. */
export function withErrors(file: string, pull: ChunkPull): ChunkPull {
  return {
    next: () =>
      pull.next().catch((cause: unknown) => {
        throw fromNodeError(cause, file);
      }),
    close: () => pull.close(),
  };
}
