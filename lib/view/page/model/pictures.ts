/** Bytes of values as addresses of blobs, of which the last ones are kept. */
import { useEffect, useState } from 'preact/hooks';

import type { Client, ValuePlace } from '../../protocol';

const MOST_KEPT = 200;
const MOST_BYTES = 128 * 2 ** 20;
const AT_A_TIME = 6;
/** Scrolling past a place for less time asks for nothing. */
const DELAY_MS = 40;

interface Kept {
  readonly url: string;
  readonly bytes: number;
  /** Number of elements that show it. */
  users: number;
}

const kept = new Map<string, Kept>();
const waiting: (() => void)[] = [];
let running = 0;

/** Asks for all bytes of a value. */
export async function valueBytes(
  client: Client,
  args: { readonly file: number; readonly record: number; readonly place: ValuePlace },
  signal?: AbortSignal,
): Promise<Blob> {
  const parts: BlobPart[] = [];
  await client.ask(
    'value',
    { ...args, from: 0, to: Number.MAX_SAFE_INTEGER },
    { signal, onBatch: (piece) => void parts.push(piece as BlobPart), credits: 8 },
  );
  return new Blob(parts);
}

async function load(
  client: Client,
  args: { readonly file: number; readonly record: number; readonly place: ValuePlace },
  mime: string,
  signal: AbortSignal,
): Promise<Kept> {
  if (running >= AT_A_TIME) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    signal.throwIfAborted();
    const blob = await valueBytes(client, args, signal);
    return { url: URL.createObjectURL(blob.slice(0, blob.size, mime)), bytes: blob.size, users: 0 };
  } finally {
    running--;
    waiting.shift()?.();
  }
}

function evict(): void {
  let bytes = 0;
  for (const each of kept.values()) bytes += each.bytes;
  for (const [key, each] of kept) {
    if (kept.size <= MOST_KEPT && bytes <= MOST_BYTES) return;
    if (each.users > 0) continue;
    URL.revokeObjectURL(each.url);
    kept.delete(key);
    bytes -= each.bytes;
  }
}

/** Returns the address of a picture or a sound once it is there; an error's message if it cannot be. */
export function useValue(
  client: Client,
  file: number,
  record: number,
  place: ValuePlace,
  mime: string,
): { readonly url?: string; readonly error?: string } {
  const key = JSON.stringify([file, record, place]);
  const [state, setState] = useState<{ key: string; url?: string; error?: string }>({ key });
  useEffect(() => {
    let used: Kept | undefined;
    const cancel = new AbortController();
    const use = (entry: Kept): void => {
      kept.delete(key);
      kept.set(key, entry);
      entry.users++;
      used = entry;
      setState({ key, url: entry.url });
      evict();
    };
    const present = kept.get(key);
    if (present !== undefined) use(present);
    const timer =
      present === undefined
        ? setTimeout(() => {
            load(client, { file, record, place }, mime, cancel.signal).then(
              (entry) => {
                if (!cancel.signal.aborted) use(kept.get(key) ?? entry);
                else URL.revokeObjectURL(entry.url);
              },
              (error: unknown) => {
                if (!cancel.signal.aborted) setState({ key, error: (error as Error).message });
              },
            );
          }, DELAY_MS)
        : undefined;
    return () => {
      clearTimeout(timer);
      cancel.abort(new Error('no longer shown'));
      if (used !== undefined) used.users--;
    };
  }, [client, key, mime]);
  if (state.key !== key) {
    const present = kept.get(key);
    return present === undefined ? {} : { url: present.url };
  }
  const { url, error } = state;
  return { ...(url === undefined ? {} : { url }), ...(error === undefined ? {} : { error }) };
}
