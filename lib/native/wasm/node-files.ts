/** The files of Node, for the module: read and written on this thread, a piece at a time. */
import * as fs from 'node:fs';
import { constants } from 'node:os';

import { HostFault, type HostFiles } from './host';
import { ignoring, NodeFileSink } from './node-file-sink';

function errnoOf(name: string): number {
  return (constants.errno as Record<string, number>)[name] ?? constants.errno.EIO;
}

/** Upper limit of one read. */
const MAX_READ = 2 ** 30;

export const NODE_FILES: HostFiles = {
  open(path) {
    // O_NONBLOCK, which Windows lacks (undefined counts as 0): a pipe that replaced the file must not block.
    const { O_RDONLY, O_NONBLOCK } = fs.constants;
    const file = fs.openSync(path, O_RDONLY | O_NONBLOCK);
    const info = ignoring(() => fs.fstatSync(file));
    if (info !== undefined && (info.isFIFO() || info.isCharacterDevice() || info.isSocket())) {
      fs.closeSync(file);
      throw new HostFault('ESPIPE', 'open');
    }
    return file;
  },
  read: (file, to, position) => fs.readSync(file, to, 0, Math.min(to.length, MAX_READ), position),
  size(file) {
    const info = fs.fstatSync(file);
    return info.isFile() ? info.size : -1;
  },
  close(file) {
    fs.closeSync(file);
  },
  sink: (path, atomic) => new NodeFileSink(path, atomic),
  errno: errnoOf,
};
