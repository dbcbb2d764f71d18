/** The part of a reader that must be closed if the reader is dropped. */
export interface Closable {
  readonly closed: boolean;
  /** True if there is anything to close. */
  readonly started: boolean;
  close(): Promise<void>;
  /** Called once, when it is closed. */
  onClosed: (() => void) | undefined;
}

/** An entry of a FinalizationRegistry. V8 keeps it until the next full collection, even after it was unregistered. */
interface Entry {
  /** Undefined once the reading is closed, so that its memory is free at once. */
  reading: Closable | undefined;
  readonly name: string;
}

/** Number of dropped readers, by name, for which no warning was given yet. */
const dropped = new Map<string, number>();
/** Names for which a warning was given. */
const warned = new Set<string>();

/** Gives one warning for all readers of a name that were collected together, and none for later ones. */
function noteDropped(name: string): void {
  if (warned.has(name)) return;
  if (dropped.size === 0) setImmediate(warn);
  dropped.set(name, (dropped.get(name) ?? 0) + 1);
}

function warn(): void {
  for (const [name, count] of dropped) {
    warned.add(name);
    const times = count === 1 ? '' : ` (${count} times)`;
    process.emitWarning(
      `${name} was dropped before its end without close()${times}. Call close(), or use "for await" or "await using". ` +
        'Further ones are closed without a warning.',
      { type: 'TFRecordWarning', code: 'TFR_READER_LEFT' },
    );
  }
  dropped.clear();
}

const forgotten = new FinalizationRegistry<Entry>(({ reading, name }) => {
  if (reading === undefined) return;
  if (reading.started) noteDropped(name);
  reading.close().catch(() => undefined);
});

/**
 * Closes `reading` if `reader` is collected. `reading` must not refer to its reader, which could not be collected then.
 * `name` is the reader's name in the warning ("A RecordReader"), which is given once for each name.
 */
export function watchUnclosed(reader: object, reading: Closable, name: string): void {
  if (reading.closed) return;
  const entry: Entry = { reading, name };
  const { onClosed } = reading;
  forgotten.register(reader, entry, entry);
  reading.onClosed = () => {
    onClosed?.();
    forgotten.unregister(entry);
    entry.reading = undefined;
  };
}
