import { onAbort } from '../../base';
import { type ChunkPull } from '../../io';

/** A pull that counts its bytes. */
export interface CountedPull extends ChunkPull {
  readonly bytes: number;
}

/** Wraps `pull`, so that it rejects with the reason of `signal` on abort, even if no chunk arrives. */
export function watched(pull: ChunkPull, signal: AbortSignal | undefined): CountedPull {
  let bytes = 0;
  /** Rejects the current step. Each step has its own promise, because a single one would keep all chunks in memory. */
  let abort = (_reason: unknown): void => undefined;
  const stopListening =
    signal === undefined
      ? () => undefined
      : onAbort(signal, () => {
          abort(signal.reason);
        });
  return {
    get bytes() {
      return bytes;
    },
    async next() {
      signal?.throwIfAborted();
      const chunk = await new Promise<Uint8Array | undefined>((resolve, reject) => {
        abort = reject;
        pull.next().then(resolve, reject);
      });
      bytes += chunk?.length ?? 0;
      return chunk;
    },
    close() {
      stopListening();
      return pull.close();
    },
  };
}
