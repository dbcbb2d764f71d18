/** What a reader leaves open when it is forgotten. */
interface Closable {
  readonly closed: boolean;
  /** Whether there is anything to close. */
  readonly started: boolean;
  close(): Promise<void>;
}

/** Readers that were dropped and not yet warned about, counted by name. */
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

const forgotten = new FinalizationRegistry<{ readonly flow: Closable; readonly name: string }>(({ flow, name }) => {
  if (flow.closed) return;
  if (flow.started) noteDropped(name);
  flow.close().catch(() => undefined);
});

/**
 * Closes `flow` when `reader` was forgotten. The flow knows nothing of its reader, so that the reader can be collected.
 * `name` is the reader's name in the warning ("A RecordReader"), which is given once for each name.
 */
export function watchForgotten(reader: object, flow: Closable, name: string): void {
  forgotten.register(reader, { flow, name });
}
