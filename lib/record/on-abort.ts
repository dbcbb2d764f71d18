/** The callbacks of one signal, and the listener that calls them. */
interface Listening {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const signals = new WeakMap<AbortSignal, Listening>();

/**
 * Calls `callback` when `signal` aborts, until the function that is returned was called. One listener serves all
 * callbacks of a signal: a signal that many readers and writers share is no leak, and Node shall not warn of one. It
 * goes with the last of them, so that a signal that outlives them holds nothing.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const { callbacks, listener } = signals.get(signal) ?? listen(signal);
  callbacks.add(callback);
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return;
    signal.removeEventListener('abort', listener);
    signals.delete(signal);
  };
}

function listen(signal: AbortSignal): Listening {
  const callbacks = new Set<() => void>();
  const listener = (): void => {
    // One callback may end the listening of another.
    for (const callback of [...callbacks]) if (callbacks.has(callback)) callback();
  };
  const listening = { callbacks, listener };
  signals.set(signal, listening);
  signal.addEventListener('abort', listener, { once: true });
  return listening;
}
