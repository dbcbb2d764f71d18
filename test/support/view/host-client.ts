/** A host and its page's end, in one process. */
import { MessageChannel, type MessagePort } from 'node:worker_threads';

import { Host, type HostOptions, type ServeOptions } from '../../../lib/view';
import { Client, type Ask, type Asks, type Port } from '../../../lib/view/protocol';

/** One end of a MessageChannel: messages cross by the structured clone, as in Electron. */
export function portOf(port: MessagePort): Port {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => port.on('message', listener),
    onClose: (listener) => port.once('close', listener),
    close: () => port.close(),
  };
}

/** A page that asks a host. */
export class HostClient {
  readonly #host: Host;
  readonly #channel = new MessageChannel();
  readonly client: Client;

  constructor(paths: readonly string[], options?: HostOptions, serving?: ServeOptions) {
    this.#host = new Host(paths, options);
    this.#host.serve(portOf(this.#channel.port1), serving);
    this.client = new Client(portOf(this.#channel.port2));
  }

  /** Asks, and resolves with all batches and the last answer. */
  async ask<A extends Ask>(
    ask: A,
    args: Asks[A]['args'],
  ): Promise<{ batches: Asks[A]['batch'][]; done: Asks[A]['done'] }> {
    const batches: Asks[A]['batch'][] = [];
    const done = await this.client.ask(ask, args, { onBatch: (batch) => void batches.push(batch) });
    return { batches, done };
  }

  /** Resolves when all records of file `file` are known. */
  async known(file = 0): Promise<void> {
    // The list of files says why a file cannot be read.
    await this.ask('rows', { file, records: [0] }).catch(() => undefined);
    const over = new AbortController();
    await this.client
      .ask(
        'files',
        {},
        {
          signal: over.signal,
          onBatch: (files) => {
            const state = files.find((one) => one.file === file);
            if (state !== undefined && (state.complete || state.problem !== null)) over.abort(new Error('known'));
          },
        },
      )
      .catch(() => undefined);
  }

  closeFiles(): Promise<void> {
    return this.#host.close();
  }

  async close(): Promise<void> {
    this.#channel.port1.close();
    await this.#host.close();
  }
}
