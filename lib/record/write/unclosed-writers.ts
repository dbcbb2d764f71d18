import { isMainThread } from 'node:worker_threads';

/** An open writer, as far as a warning needs it. It must not refer to the RecordWriter, which could not be collected. */
interface Work {
  /** The path as it was given, or `<stream>`. */
  readonly file: string;
  /** The class of the writer. Default: RecordWriter. */
  readonly writer?: 'ShardedWriter';
  /** A sentence that says what happens to the target if nobody closes it. */
  readonly fate: string;
  /**
   * Gives the target up. Undefined once the writer has ended: V8 keeps an entry of a FinalizationRegistry, with all that
   * it holds, until the next full collection, even after it was unregistered.
   */
  giveUp: (() => void) | undefined;
}

/** Maximum number of files that one warning lists. */
const NAMED = 5;
const ADVICE = 'Call close() to publish a file, or abort() to give it up.';

/** The writers that were neither closed nor given up. */
const open = new Set<Work>();

const collected = new FinalizationRegistry<Work>((work) => {
  forget(work);
  work.giveUp?.();
  process.emitWarning(
    `A ${work.writer ?? 'RecordWriter'} of ${work.file} was dropped without close(): ${work.fate} ${ADVICE}`,
    {
      type: 'TFRecordWarning',
      code: 'TFR_WRITER_LEFT',
    },
  );
});

/**
 * Warns if `writer` is collected, and then gives its target up, or if the process ends before. Returns the function that
 * stops watching.
 */
export function watchUnclosedWriter(writer: object, work: Work): () => void {
  if (open.size === 0) process.on('exit', warnAtExit);
  open.add(work);
  collected.register(writer, work, work);
  return () => {
    collected.unregister(work);
    work.giveUp = undefined;
    forget(work);
  };
}

/** The kind of environment whose `exit` event comes. In a page of Electron, it comes when the page is left or reloaded. */
function whatEnded(): 'process' | 'worker thread' | 'page' {
  if (!isMainThread) return 'worker thread';
  // Only Electron sets the type.
  return 'type' in process && process.type === 'renderer' ? 'page' : 'process';
}

/** The sentence `text`, without its capital letter and full stop. */
function inSentence(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1, -1);
}

function forget(work: Work): void {
  if (open.delete(work) && open.size === 0) process.off('exit', warnAtExit);
}

/**
 * Listens to `exit`. `beforeExit` would be too early, because its other listeners may still close the writer. No tick
 * follows `exit`, so `process.emitWarning`, which defers, would print nothing.
 */
function warnAtExit(): void {
  const files = [...open].slice(0, NAMED).map(({ file, fate }) => `${file} (${inSentence(fate)})`);
  const more = open.size > NAMED ? `, and ${open.size - NAMED} more` : '';
  const warning = new Error(
    `The ${whatEnded()} ended before close() was called on the writer of ${files.join(', ')}${more}. ${ADVICE}`,
  );
  warning.name = 'TFRecordWarning';
  process.emit('warning', Object.assign(warning, { code: 'TFR_WRITER_LEFT' }));
}
