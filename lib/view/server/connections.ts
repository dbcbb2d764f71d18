import type { Socket } from 'node:net';

/** Most connections at once, of both kinds. */
const MOST_STRANGERS = 64;
const MOST_TRUSTED = 128;

/**
 * The connections of a server. A new one is always let in; the oldest that has not shown the token makes room. So those
 * who do not know the token cannot keep out those who do, and never hold many descriptors.
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
    if (this.#strangers.size <= MOST_STRANGERS) return;
    const [oldest] = this.#strangers;
    this.#strangers.delete(oldest!);
    oldest!.destroy();
  }

  /** To be called when a request with the token has come through `socket`. */
  trust(socket: Socket): void {
    // A refused connection may be closed by now.
    if (!this.#strangers.delete(socket)) return;
    // The pages that are open go on.
    if (this.#trusted.size >= MOST_TRUSTED) socket.destroy();
    else this.#trusted.add(socket);
  }
}
