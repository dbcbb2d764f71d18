import type { Port } from './messages';

/** The part of Electron's `MessagePortMain` that is used, which a main or a utility process has. */
export interface MainPort {
  /** Sends a value, which the structured clone copies. */
  postMessage(message: unknown): void;
  /** Calls `listener` with what comes, once the port was started. */
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  /** Calls `listener` when the other end is gone. */
  on(event: 'close', listener: () => void): unknown;
  /** Lets messages through, which were kept until now. */
  start(): void;
  /** Ends the channel. */
  close(): void;
}

/**
 * Returns an end of the way to a page over a `MessagePortMain` of Electron. Messages to a page that is gone are dropped.
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
