/** What a reader leaves open when it is forgotten. */
interface Closable {
  readonly closed: boolean;
  /** Whether there is anything to close. */
  readonly started: boolean;
  close(): Promise<void>;
}

const forgotten = new FinalizationRegistry<{ readonly flow: Closable; readonly name: string }>(({ flow, name }) => {
  if (flow.closed) return;
  if (flow.started) {
    process.emitWarning(
      `${name} was dropped before its end without close(). Call close(), or use "for await" or "await using".`,
      'TFRecordWarning',
    );
  }
  flow.close().catch(() => undefined);
});

/**
 * Closes `flow` when `reader` was forgotten. The flow knows nothing of its reader, so that the reader can be collected.
 * `name`: of the reader, in the warning ("A RecordReader").
 */
export function watchForgotten(reader: object, flow: Closable, name: string): void {
  forgotten.register(reader, { flow, name });
}
