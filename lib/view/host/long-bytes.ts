/** Long bytes for pages: in memory once for the whole host, and for a page that takes them. */
import { LoopTurns } from '../../base';
import { PIECE_BYTES } from '../protocol';
import type { Turns } from './turns';

/** Milliseconds after which a page that takes no piece gives its turn to the next one that waits. */
const IDLE_MS = 2000;

/** Bytes that are in memory while their turn lasts. */
class Held<T extends Uint8Array> {
  #bytes: T | undefined;
  readonly #end: (bytes: T | undefined) => void;
  #idle: NodeJS.Timeout | undefined;

  constructor(bytes: T, end: (bytes: T | undefined) => void) {
    this.#bytes = bytes;
    this.#end = end;
  }

  /** Undefined once they were given up. */
  get bytes(): T | undefined {
    return this.#bytes;
  }

  /** Gives the bytes up when another one waits and `resume` was not called for a while. */
  rest(turns: Turns): void {
    this.#idle = setInterval(() => {
      if (turns.isWanted) this.end();
    }, IDLE_MS);
    this.#idle.unref();
  }

  resume(): void {
    clearInterval(this.#idle);
  }

  end(): void {
    clearInterval(this.#idle);
    this.#end(this.#bytes);
    this.#bytes = undefined;
  }
}

/**
 * Yields the bytes that `read` returns, from byte `from` to before `to`, in pieces of their own memory: a MessagePort
 * would clone the whole memory behind a view. They are read in a turn, and again if the page gave its turn up.
 *
 * @param free called with the bytes when they are not needed any more
 */
export async function* longPieces<T extends Uint8Array>(
  turns: Turns,
  read: () => Promise<T>,
  { from = 0, to = Infinity }: { readonly from?: number; readonly to?: number },
  signal: AbortSignal,
  free?: (bytes: T) => void,
): AsyncGenerator<Uint8Array, void> {
  const loop = new LoopTurns();
  const hold = async (): Promise<Held<T>> => {
    const end = await turns.take(signal);
    try {
      return new Held(await read(), (bytes) => {
        if (bytes !== undefined) free?.(bytes);
        end();
      });
    } catch (error) {
      end();
      throw error;
    }
  };
  let held: Held<T> | undefined;
  try {
    for (let at = from; ; at += PIECE_BYTES) {
      if (held?.bytes === undefined) held = await hold();
      const bytes = held.bytes!;
      const stop = Math.min(to, bytes.length);
      if (at >= stop) return;
      const piece = bytes.slice(at, Math.min(at + PIECE_BYTES, stop));
      held.rest(turns);
      yield piece;
      held.resume();
      await loop.breathe();
    }
  } finally {
    held?.end();
  }
}
