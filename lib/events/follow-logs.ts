/** Reads logs that grow, for as long as the caller wants. */
import { open, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

import { compressionNumber, FRAME_BYTES, fullPath, HEADER_BYTES, objectScheme, TFRecordError } from '../base';
import { lookSoon, type ClassifiedSource } from '../io';
import { ErrorPolicy, partsOf, RecycledBatches, type ReadPlan, type RecordBatch } from '../record';
import { findLogs, type LogFile } from './find-logs';
import { notePart, sourceOf, taken, valuesOf, type LogPlan, type TakenPart } from './log-reading';
import { stepsSoon } from './log-steps';
import { RunReading } from './run-reading';
import type { ValueBlock } from './value-block';

/** Tells a file from one that took its name. */
interface Look {
  readonly size: number;
  readonly mtimeMs: number;
  readonly dev: number;
  readonly ino: number;
}

/** Bytes of a file that was read: the header of the last record, and the checksum of its data. */
interface Mark {
  readonly at: { readonly header: number; readonly end: number };
  readonly header: Uint8Array;
  readonly end: Uint8Array;
}

/** The part of a file that was read. */
interface Followed {
  readonly file: LogFile;
  /** The offset and the number of the next record. */
  offset: number;
  record: number;
  /** The file when it was read last, and its least size: that, or the end of what was read. */
  look: Look | undefined;
  size: number;
  /** The end of what was read; undefined if there is none. */
  mark: Mark | undefined;
  /** Nothing more can be read: it is compressed, or the rest was given up. */
  over: boolean;
  /** The records that were taken; undefined if there are none. */
  part: TakenPart | undefined;
  /** The fault about which the caller was asked last. */
  asked: number;
}

/**
 * Gives the values of the runs in `source`, and then those that are added, until `signal` aborts. A record that is cut at
 * the end of a file is waited for. What a restart makes obsolete is left out of the values that are there at the
 * beginning of a run only: later ones were given before the restart.
 */
export async function* followLogs(
  source: LogPaths,
  plan: LogPlan,
  pollMs: number,
  signal: AbortSignal,
): AsyncGenerator<ValueBlock, void> {
  try {
    yield* follow(source, plan, pollMs, signal);
  } catch (error) {
    // Its reason comes before the errors of what it ended.
    signal.throwIfAborted();
    throw error;
  }
}

function newFollowed(file: LogFile): Followed {
  return {
    file,
    offset: 0,
    record: 0,
    look: undefined,
    size: 0,
    mark: undefined,
    over: false,
    part: undefined,
    asked: -1,
  };
}

type LogPaths = Extract<ClassifiedSource, { kind: 'paths' }>;

async function* follow(
  source: LogPaths,
  plan: LogPlan,
  pollMs: number,
  signal: AbortSignal,
): AsyncGenerator<ValueBlock, void> {
  const files = new Map<string, Followed>();
  const runs = new Map<string, RunReading>();
  const asked = new Set<string>();
  const takenOf = (own: readonly LogFile[]): TakenPart[] => own.flatMap(({ path }) => files.get(path)?.part ?? []);
  for (;;) {
    const found = await lookSoon(findLogs(source), () => signal.aborted, source.folder);
    for (const error of found.errors) {
      // Files may appear later.
      if (error.code === 'ENOENT' || asked.has(error.message)) continue;
      asked.add(error.message);
      if (plan.read.policy.resolve(error) === 'stop') return;
    }
    for (const run of new Set(found.files.map(({ run }) => run))) {
      const own = found.files.filter((file) => file.run === run);
      const isNew = !runs.has(run);
      const reading = runs.get(run) ?? new RunReading(run, plan.choice, plan.keepsObsolete ? 'stream' : 'hold');
      runs.set(run, reading);
      try {
        for (const file of own) {
          const followed = files.get(file.path) ?? newFollowed(file);
          files.set(file.path, followed);
          yield* readOn(followed, reading, plan, source.folder, signal);
          if (plan.read.policy.stopped) break;
        }
      } catch (error) {
        if (isNew && !signal.aborted) yield* stepsSoon(valuesOf(reading, plan, takenOf(own)));
        throw error;
      }
      if (isNew) {
        yield* stepsSoon(valuesOf(reading, plan, takenOf(own)));
        reading.stream();
      }
      if (plan.read.policy.stopped) return;
      reading.rest();
    }
    await setTimeout(pollMs, undefined, { signal });
  }
}

/** Reads what was added to a file. */
async function* readOn(
  followed: Followed,
  reading: RunReading,
  { read }: LogPlan,
  folder: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<ValueBlock, void> {
  const { file } = followed;
  if (!(await hasGrown(followed, read.policy, folder)) || followed.over) return;
  const { offset, record } = followed;
  const policy = new ErrorPolicy((error) => decide(error, followed, read.policy, isCompressed()));
  const plan: ReadPlan = { ...read, policy, signal, ...(offset > 0 ? { compression: compressionNumber('none') } : {}) };
  const start = offset > 0 ? { input: 0, place: { offset, record } } : undefined;
  const source = sourceOf([file], folder);
  const records = new RecycledBatches(source, plan, { start });
  const isCompressed = (): boolean => records.compression !== undefined && records.compression !== 'none';
  try {
    for (let batch = await records.next(); batch !== undefined; batch = await records.next()) {
      const last = batch.origin(-1)!;
      followed.part ??= { source, records: 0, last };
      notePart(followed.part, batch);
      read.policy.passed(batch.length);
      if (!(yield* stepsSoon(taken(reading, batch, policy)))) followed.over = true;
      followed.offset = last.offset + FRAME_BYTES + last.bytes;
      followed.record = last.record + 1;
      // The offsets in a compressed file are those of its content.
      followed.mark = isCompressed() ? undefined : markOf(batch, last.offset);
      if (followed.over) return;
    }
    // A compressed file has no place at which another reading could begin.
    if (isCompressed()) followed.over = true;
    else followed.size = Math.max(followed.size, followed.offset);
  } finally {
    await records.close();
  }
}

/** The mark of the last record of `batch`, whose frame begins at byte `offset`. */
function markOf(batch: RecordBatch, offset: number): Mark {
  const { source, begin } = partsOf(batch);
  const { slab, frames } = source;
  const frame = 2 * (begin + batch.length - 1);
  const start = frames[frame]!;
  const end = start + frames[frame + 1]!;
  const header = slab.slice(start - HEADER_BYTES, start);
  const at = { header: offset, end: offset + HEADER_BYTES + end - start };
  return { at, header, end: slab.slice(end, end + FRAME_BYTES - HEADER_BYTES) };
}

/**
 * True if a file has more bytes than when it was read last. Notes its size. `policy` decides about another file of its
 * name, and one that lost bytes: if it skips that, the file is read from its beginning.
 */
async function hasGrown(followed: Followed, policy: ErrorPolicy, folder: string | undefined): Promise<boolean> {
  const { path } = followed.file;
  // The size of an object is known once it is read.
  if (objectScheme(path) !== undefined) return true;
  const look = await stat(fullPath(path, folder)).catch(() => undefined);
  if (look === undefined) return false;
  const why = changeOf(followed, look) ?? (await rewritingOf(followed, look, fullPath(path, folder)));
  if (why !== undefined) {
    const message = `${path} ${why} while it was followed`;
    if (policy.resolve(new TFRecordError('TFR_STATE_MISMATCH', message, { file: path })) === 'stop') return false;
    Object.assign(followed, newFollowed(followed.file));
  }
  followed.look = look;
  const grew = look.size > followed.size;
  if (grew) followed.size = look.size;
  return grew;
}

/** The reason why what was read of a file is no longer its beginning; undefined if there is none. */
function changeOf({ look: before, size }: Followed, look: Look): string | undefined {
  if (before === undefined) return undefined;
  if (before.ino !== look.ino || before.dev !== look.dev) return 'was replaced by another file';
  return look.size < size ? `was cut from ${size} to ${look.size} bytes` : undefined;
}

/** As `changeOf`, for a file that was written anew in its place: the last record that was read is no longer there. */
async function rewritingOf({ look: before, mark }: Followed, look: Look, path: string): Promise<string | undefined> {
  if (mark === undefined || (before?.size === look.size && before.mtimeMs === look.mtimeMs)) return undefined;
  const { at, header, end } = mark;
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const isSame = async (bytes: Uint8Array, position: number): Promise<boolean> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes.length), 0, bytes.length, position);
      return bytesRead === bytes.length && buffer.equals(bytes);
    };
    const isThere = (await isSame(header, at.header)) && (await isSame(end, at.end));
    return isThere ? undefined : `was written anew, before byte ${at.end + end.length},`;
  } finally {
    await file.close();
  }
}

/**
 * Decides about a fault of a file: a cut record may be completed later, unless it is compressed, and the caller is asked
 * once about the others.
 */
function decide(error: TFRecordError, followed: Followed, policy: ErrorPolicy, isCompressed: boolean): 'skip' | 'stop' {
  if (error.code === 'TFR_TRUNCATED' && !isCompressed) return 'stop';
  const at = error.offset ?? 0;
  if (at <= followed.asked) return 'skip';
  followed.asked = at;
  const action = policy.resolve(error);
  if (action === 'stop' || error.lostBytes !== undefined) followed.over = true;
  return action;
}
