import type { Socket } from 'node:net';

/** Maximum number of connections: without the token, and with it. */
const MAX_STRANGERS = 64;
const MAX_TRUSTED = 128;

/**
 * The connections of a server. A new connection is always accepted; if there are too many, the oldest one without the
 * token is closed. So clients that do not know the token can neither exclude others nor use many descriptors.
 */
export class Connections {
  readonly #strangers = new Set<Socket>();
  readonly #trusted = new Set<Socket>();

  add(socket: Socket): void {
    this.#strangers.add(socket);
    socket.once('close', () => {
      this.#strangers.delete(socket);
      this.#trusted.delete(socket);
    });
    if (this.#strangers.size <= MAX_STRANGERS) return;
    const [oldest] = this.#strangers;
    this.#strangers.delete(oldest!);
    oldest!.destroy();
  }

  /** Marks `socket` as trusted, after a request with the token. */
  trust(socket: Socket): void {
    // The connection may have been closed meanwhile.
    if (!this.#strangers.delete(socket)) return;
    // Open pages are not closed for a new one.
    if (this.#trusted.size >= MAX_TRUSTED) socket.destroy();
    else this.#trusted.add(socket);
  }
}
