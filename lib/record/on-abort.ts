const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `callback` when `signal` aborts, until the function that is returned was called. One listener serves all
 * callbacks of a signal: a signal that many writers share is no leak, and Node shall not warn of one.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const all = callbacks.get(signal) ?? listen(signal);
  all.add(callback);
  return () => {
    all.delete(callback);
  };
}

function listen(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>();
  callbacks.set(signal, all);
  signal.addEventListener(
    'abort',
    () => {
      for (const callback of [...all]) callback();
    },
    { once: true },
  );
  return all;
}
