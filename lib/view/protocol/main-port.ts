import type { Port } from './messages';

/** The part of Electron's `MessagePortMain` that is used: the port class of main and utility processes. */
export interface MainPort {
  /** Sends a structured clone of a value. */
  postMessage(message: unknown): void;
  /** Calls `listener` with each message, after `start`. */
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  /** Calls `listener` after the other end was closed. */
  on(event: 'close', listener: () => void): unknown;
  /** Starts delivering messages, which are queued before. */
  start(): void;
  /** Closes the channel. */
  close(): void;
}

/**
 * Returns a {@link Port} over a `MessagePortMain` of Electron. Messages to a closed page are dropped.
 *
 * @example
 * const host = new Host(['train.tfrecord']);
 * // The port came with a message of `process.parentPort`.
 * host.serve(portOf(port));
 */
export function portOf(port: MainPort): Port {
  let closed = false;
  port.on('close', () => (closed = true));
  return {
    post: (message) => {
      if (!closed) port.postMessage(message);
    },
    onMessage: (listener) => {
      port.on('message', ({ data }) => listener(data));
      port.start();
    },
    onClose: (listener) => {
      if (closed) listener();
      else port.on('close', listener);
    },
    close: () => {
      closed = true;
      port.close();
    },
  };
}
