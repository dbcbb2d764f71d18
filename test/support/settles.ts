import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `holds`, for what ends on other threads; false when it does not come to hold. */
export async function settles(holds: () => boolean, limitMs = 20_000): Promise<boolean> {
  const end = Date.now() + limitMs;
  while (!holds()) {
    if (Date.now() > end) return false;
    await sleep(10);
  }
  return true;
}
