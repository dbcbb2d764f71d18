/** Sends long values to pages, with at most one of them in memory for the whole host. */
import { LoopTurns } from '../../base';
import { PIECE_BYTES } from '../protocol';
import type { Turns } from './turns';

/** Milliseconds after which a page that does not read pieces loses its turn to the next one that waits. */
const IDLE_MS = 2000;

/** Bytes that are in memory during a turn. */
class TurnBytes<T extends Uint8Array> {
  #bytes: T | undefined;
  readonly #end: (bytes: T | undefined) => void;
  #idle: NodeJS.Timeout | undefined;

  constructor(bytes: T, end: (bytes: T | undefined) => void) {
    this.#bytes = bytes;
    this.#end = end;
  }

  /** The bytes; undefined after they were released. */
  get bytes(): T | undefined {
    return this.#bytes;
  }

  /** Releases the bytes if another request waits, and `resume` is not called for {@link IDLE_MS}. */
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
 * Yields the bytes that `read` returns, from byte `from` to before `to`, in pieces with memory of their own, because a
 * MessagePort would clone the whole buffer of a view. Reads them in a turn, and again if the page lost its turn.
 *
 * @param free called with the bytes after their last use
 */
export async function* longPieces<T extends Uint8Array>(
  turns: Turns,
  read: () => Promise<T>,
  { from = 0, to = Infinity }: { readonly from?: number; readonly to?: number },
  signal: AbortSignal,
  free?: (bytes: T) => void,
): AsyncGenerator<Uint8Array, void> {
  const loop = new LoopTurns();
  const hold = async (): Promise<TurnBytes<T>> => {
    const end = await turns.take(signal);
    try {
      return new TurnBytes(await read(), (bytes) => {
        if (bytes !== undefined) free?.(bytes);
        end();
      });
    } catch (error) {
      end();
      throw error;
    }
  };
  let held: TurnBytes<T> | undefined;
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
