import type { RawData, WebSocket } from 'ws';

import { packFrame, type Port, type ToPage } from '../protocol';

/** Number of unsent bytes above which no more messages of a page are read. */
const MAX_UNSENT = 4 * 2 ** 20;

/** The host's end of a WebSocket. It stops reading messages of a page that does not read its answers. */
export class SocketPort implements Port {
  readonly #socket: WebSocket;
  #unsent = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  post(message: unknown): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const frame = packFrame(message as ToPage);
    this.#unsent += frame.length;
    if (this.#unsent > MAX_UNSENT) this.#socket.pause();
    this.#socket.send(frame, () => {
      this.#unsent -= frame.length;
      if (this.#unsent <= MAX_UNSENT) this.#socket.resume();
    });
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#socket.on('message', (data, isBinary) => listener(isBinary ? undefined : parsed(data)));
  }

  onClose(listener: () => void): void {
    this.#socket.once('close', listener);
  }

  close(): void {
    this.#socket.close();
  }
}

/** Parses the JSON of a page; undefined for other text. */
function parsed(data: RawData): unknown {
  try {
    return JSON.parse((data as Buffer).toString()) as unknown;
  } catch {
    return undefined;
  }
}
