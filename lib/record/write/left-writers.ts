/** A writer's work. It has no reference to the RecordWriter, so that the RecordWriter can be collected. */
interface Work {
  /** The path as it was given, or `<stream>`. */
  readonly file: string;
  /** A sentence that says what happens to the target if nobody closes it. */
  readonly fate: string;
  /**
   * Gives the target up. Undefined once the writer has ended: V8 keeps an entry of a registry, with all that it holds,
   * until the next full collection, even when it is unregistered.
   */
  giveUp: (() => void) | undefined;
}

/** Most files that one warning names. */
const NAMED = 5;
const ADVICE = 'Call close() to publish a file, or abort() to give it up.';

/** The work of writers that were neither closed nor given up. */
const open = new Set<Work>();

const collected = new FinalizationRegistry<Work>((work) => {
  forget(work);
  work.giveUp?.();
  process.emitWarning(`A RecordWriter of ${work.file} was dropped without close(): ${work.fate} ${ADVICE}`, {
    type: 'TFRecordWarning',
    code: 'TFR_WRITER_LEFT',
  });
});

/**
 * Warns if `writer` is collected, and gives `work` up, or if the process ends. Call the returned function to stop
 * watching.
 */
export function watchLeft(writer: object, work: Work): () => void {
  if (open.size === 0) process.on('exit', warnAtExit);
  open.add(work);
  collected.register(writer, work, work);
  return () => {
    collected.unregister(work);
    work.giveUp = undefined;
    forget(work);
  };
}

function forget(work: Work): void {
  if (open.delete(work) && open.size === 0) process.off('exit', warnAtExit);
}

/**
 * `beforeExit` would be too early: its other listeners may still close the writer. No tick follows `exit`, so the
 * warning is emitted at once.
 */
function warnAtExit(): void {
  const files = [...open].slice(0, NAMED).map(({ file, fate }) => `${file} (${fate.slice(0, -1)})`);
  const more = open.size > NAMED ? `, and ${open.size - NAMED} more` : '';
  const warning = new Error(`The process ended before close() of ${files.join(', ')}${more}. ${ADVICE}`);
  warning.name = 'TFRecordWarning';
  process.emit('warning', Object.assign(warning, { code: 'TFR_WRITER_LEFT' }));
}
