/** The callbacks of one signal, and the listener that calls them. */
interface Listening {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const signals = new WeakMap<AbortSignal, Listening>();

/**
 * Calls `callback` when `signal` aborts. Returns the function that stops listening. All callbacks of a signal share one
 * listener, because Node would warn of a leak if many readers and writers listened to one signal. The listener is removed
 * with the last callback, so that a long-lived signal keeps nothing alive.
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
    // One callback may remove another.
    for (const callback of [...callbacks]) if (callbacks.has(callback)) callback();
  };
  const listening = { callbacks, listener };
  signals.set(signal, listening);
  signal.addEventListener('abort', listener, { once: true });
  return listening;
}
