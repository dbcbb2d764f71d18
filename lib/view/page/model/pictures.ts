/** Loads values as blobs with addresses, and caches the most recent ones. */
import { useEffect, useState } from 'preact/hooks';

import type { Client, ValuePlace } from '../../protocol';

const MAX_KEPT = 200;
const MAX_BYTES = 128 * 2 ** 20;
const AT_A_TIME = 6;
/** Milliseconds before a value is requested, so that fast scrolling requests nothing. */
const DELAY_MS = 40;

/** A value that is shown, or was shown recently. */
interface Entry {
  /** Number of elements that show it. */
  users: number;
  /** Address of its blob; undefined before it is loaded. */
  url?: string;
  bytes: number;
  readonly cancel: AbortController;
  readonly loaded: Promise<string>;
}

/** The entries, in the order of their last use. */
const entries = new Map<string, Entry>();
const waiting: (() => void)[] = [];
let running = 0;

interface ValueArgs {
  readonly file: number;
  readonly record: number;
  readonly place: ValuePlace;
}

/** Requests all bytes of a value. */
export async function valueBytes(client: Client, args: ValueArgs, signal?: AbortSignal): Promise<Blob> {
  const parts: BlobPart[] = [];
  await client.ask(
    'value',
    { ...args, from: 0, to: Number.MAX_SAFE_INTEGER },
    { signal, onBatch: (piece) => void parts.push(piece as BlobPart), credits: 8 },
  );
  return new Blob(parts);
}

async function load(client: Client, args: ValueArgs, mime: string, signal: AbortSignal): Promise<Blob> {
  if (running >= AT_A_TIME) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    signal.throwIfAborted();
    const blob = await valueBytes(client, args, signal);
    return blob.slice(0, blob.size, mime);
  } finally {
    running--;
    waiting.shift()?.();
  }
}

/** Returns the entry of a value, and adds a user to it. Starts loading if there is no entry. */
function take(key: string, client: Client, args: ValueArgs, mime: string): Entry {
  const present = entries.get(key);
  entries.delete(key);
  const entry = present ?? begin(key, client, args, mime);
  entries.set(key, entry);
  entry.users++;
  return entry;
}

function begin(key: string, client: Client, args: ValueArgs, mime: string): Entry {
  const cancel = new AbortController();
  const loaded = load(client, args, mime, cancel.signal).then(
    (blob) => {
      entry.url = URL.createObjectURL(blob);
      entry.bytes = blob.size;
      if (entries.get(key) === entry) evict();
      else if (entry.users === 0) revoke(entry);
      return entry.url;
    },
    (error: unknown) => {
      // Removed, so that the next element that shows it tries again.
      if (entries.get(key) === entry) entries.delete(key);
      throw error;
    },
  );
  const entry: Entry = { users: 0, bytes: 0, cancel, loaded };
  return entry;
}

function release(key: string, entry: Entry): void {
  if (--entry.users > 0) return;
  if (entry.url === undefined) {
    if (entries.get(key) === entry) entries.delete(key);
    entry.cancel.abort(new Error('no longer shown'));
  } else if (entries.get(key) !== entry) revoke(entry);
}

function revoke({ url }: Entry): void {
  if (url !== undefined) URL.revokeObjectURL(url);
}

function evict(): void {
  let bytes = 0;
  for (const entry of entries.values()) bytes += entry.bytes;
  for (const [key, entry] of entries) {
    if (entries.size <= MAX_KEPT && bytes <= MAX_BYTES) return;
    if (entry.users > 0) continue;
    revoke(entry);
    entries.delete(key);
    bytes -= entry.bytes;
  }
}

/** Removes the values of a file that has changed. */
export function dropValues(file: number): void {
  for (const [key, entry] of entries) {
    if ((JSON.parse(key) as readonly unknown[])[0] !== file) continue;
    entries.delete(key);
    if (entry.users === 0) revoke(entry);
  }
}

/** Returns the address of a picture or a sound after it is loaded, or the message of an error. */
export function useValue(
  client: Client,
  file: number,
  record: number,
  place: ValuePlace,
  mime: string,
): { readonly url?: string; readonly error?: string } {
  const key = JSON.stringify([file, record, place]);
  const [state, setState] = useState<{ key: string; url?: string; error?: string }>();
  useEffect(() => {
    let entry: Entry | undefined;
    let shown = true;
    const show = (): void => {
      entry = take(key, client, { file, record, place }, mime);
      entry.loaded.then(
        (url) => {
          if (shown) setState({ key, url });
        },
        (error: unknown) => {
          if (shown) setState({ key, error: (error as Error).message });
        },
      );
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    if (entries.has(key)) show();
    else timer = setTimeout(show, DELAY_MS);
    return () => {
      shown = false;
      clearTimeout(timer);
      if (entry !== undefined) release(key, entry);
    };
  }, [client, key, mime]);
  if (state?.key === key) return state;
  const url = entries.get(key)?.url;
  return url === undefined ? {} : { url };
}
