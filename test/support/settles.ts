import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `holds` returns true, for work on other threads. Resolves with false if it does not within the limit. */
export async function settles(holds: () => boolean, limitMs = 20_000): Promise<boolean> {
  const end = Date.now() + limitMs;
  while (!holds()) {
    if (Date.now() > end) return false;
    await sleep(10);
  }
  return true;
}
