/** Reads the values of logs on the calling thread. */
import type { ReadPlan } from '../record';
import { isSync, syncRecordSequence } from '../record';
import { lookNow, type ClassifiedSource } from '../io';
import { resolveEventOptions, type EventOptions } from './event-options';
import { findLogs } from './find-logs';
import { readLogs, type LogRecords } from './log-reading';
import { stepsNow } from './log-steps';
import type { ValueBlock } from './value-block';

/** Options of {@link eventBlocksSync}. */
export type SyncEventOptions = Omit<EventOptions, 'follow' | 'pollMs'>;

/**
 * Reads as `eventBlocks` the values of log folders and event files, but blocks the calling thread, for callers that cannot
 * await promises. Wrong options throw at once, and all other errors when the iteration reaches them.
 */
export function eventBlocksSync(
  paths: readonly string[],
  options?: SyncEventOptions,
): Generator<ValueBlock, void, undefined> {
  const plan = resolveEventOptions(options, openSync);
  return (function* (): Generator<ValueBlock, void, undefined> {
    const source = { paths: paths.map((path) => ({ path, expands: true })) };
    const { files, errors } = lookNow(findLogs(source));
    for (const error of errors) if (plan.read.policy.resolve(error) === 'stop') return;
    yield* stepsNow(readLogs(files, undefined, plan));
  })();
}

function openSync(source: ClassifiedSource, read: ReadPlan): LogRecords {
  if (isSync(source)) return syncRecordSequence(source, read);
  throw new TypeError('a stream needs promises');
}
