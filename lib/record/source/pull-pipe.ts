import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';

import type { ChunkPull } from './chunk-pull';
import { pullNodeStream } from './pull-node-stream';

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
