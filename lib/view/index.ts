/// <reference types="node" preserve="true" />
/**
 * The viewer of `tfrecord view`: a host that reads files, a page that shows them, and a server that connects the two.
 * An Electron app runs the host in a utility process and the page in a window: see docs/electron.md.
 *
 * @packageDocumentation
 */
import { join } from 'node:path';

import { Host, type HostOptions } from './host';

/** The folder of the built page; open its `index.html`. All addresses in it are relative. */
export const pageFolder: string = join(__dirname, 'page');

/** A page that shows files. */
export interface View {
  /** The address of the page. It contains a token: anyone who knows it can read the files. */
  readonly address: string;
  /**
   * Ends the server, and closes the files.
   *
   * @example
   * const served = await view(['train.tfrecord']);
   * await served.close();
   */
  close(): Promise<void>;
}

/** Options of {@link view}. */
export interface ViewOptions extends HostOptions {
  /** The port to listen on. Default: any free port. */
  readonly port?: number | undefined;
  /** Folder of the built page. Default: the package's. */
  readonly page?: string | undefined;
}

/**
 * Serves a page that shows the files `paths`, to this machine only, like `tfrecord view`.
 *
 * @throws TFRecordError with Node's code if the port is in use
 *
 * @example
 * const { address } = await view(['train.tfrecord.gz']);
 * console.log(`Open ${address}`);
 */
export async function view(paths: readonly string[], options: ViewOptions = {}): Promise<View> {
  const { port = 0, page = pageFolder, ...reading } = options;
  // Loaded here, because users of only a host do not need the server.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { PageServer } = require('./server') as typeof import('./server');
  const host = new Host(paths, reading);
  const server = new PageServer(host, page);
  await server.listen(port);
  return {
    address: server.address,
    close: async () => {
      await server.close();
      await host.close();
    },
  };
}

export { Host, type FileOptions, type HostOptions, type ServeOptions } from './host';
export { filesIn, type FilesInOptions, type LeftOut } from '../record';
export { portOf, type MainPort, type Port } from './protocol';
