/** The viewer: a host that reads files, a page that shows them, and a server that brings the two together. */
import { join } from 'node:path';

import { Host, type FileOptions } from './host';
import { PageServer } from './server';

/** The built page, beside the bundle of this room. */
const PAGE = join(__dirname, 'page');

/** A page that shows files. */
export interface View {
  /** The address of the page. It has a token: who knows it can read the files. */
  readonly address: string;
  /** Ends the server, and closes the files. */
  close(): Promise<void>;
}

/** Options of {@link view}. */
export interface ViewOptions extends FileOptions {
  /** The port to listen on. Default: any free one. */
  readonly port?: number | undefined;
  /** Folder of the built page. Default: the package's. */
  readonly page?: string | undefined;
}

/**
 * Serves a page that shows the files `paths` to this machine.
 *
 * @throws TFRecordError with Node's code if the port is taken.
 */
export async function view(paths: readonly string[], options: ViewOptions = {}): Promise<View> {
  const { port = 0, page = PAGE, ...reading } = options;
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

export { filesIn, Host, type FileOptions } from './host';
export type * from './protocol';
