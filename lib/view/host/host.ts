import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';

import { fromNodeError } from '../../base';
import { filesIn } from '../../record';
import { PIECE_BYTES, serve, type Answers, type Asks, type FileState, type Port, type Problem } from '../protocol';
import { curveCsv } from './curves/curve-csv';
import { LogCurves, logsAmong } from './curves/log-curves';
import { damage } from './damage';
import { describe } from './describe';
import { exportRecords } from './export-records';
import { Feed } from './feed';
import { find } from './find';
import { longPieces } from './long-bytes';
import { notThere, problemOf } from './problem';
import { LONG_BYTES, type ScannedFile } from './scan';
import { Turns } from './turns';
import { ViewedFile, type FileOptions } from './viewed-file';

/** Maximum number of files whose record indexes are kept open. */
const MAX_OPEN = 8;
/**
 * Milliseconds between two updates of the list of files. The first updates are sent sooner, because a page waits for
 * the first records.
 */
const STATE_MS = 100;
const FIRST_STATE_MS = 10;
const FIRST_STATES = 10;
/** Maximum number of searches and exports of one page at a time; reports have the same limit. */
const SCANS_AT_ONCE = 4;

/** A page that receives updates of the files. */
interface Watcher {
  /** Numbers of the files that have changed since its last update. */
  readonly changed: Set<number>;
  readonly feed: Feed<true>;
}

/** Options of {@link Host}. */
export interface HostOptions extends FileOptions {
  /** The log folders and event files of TensorBoard whose curves pages show. Default: the event files among the paths. */
  readonly logs?: readonly string[] | undefined;
}

/** Options of {@link Host.serve}. */
export interface ServeOptions {
  /**
   * If true, requests that add files, by their paths, are allowed: for a port whose other end is the program itself,
   * not a page. Default: false.
   */
  readonly mayAdd?: boolean | undefined;
}

/**
 * Reads files for pages: a page names a file by its number in the list, never by a path. One host serves any number of
 * pages, each through a {@link Port}. Messages are checked: an invalid one gets an error, and has no other effect.
 *
 * @example
 * const host = new Host(['train.tfrecord.gz']);
 * // In a utility process of Electron, the main process has sent a port for the page.
 * host.serve(portOf(port));
 */
export class Host {
  readonly #files: ViewedFile[] = [];
  /** The numbers of the files by their absolute paths. */
  readonly #numbers = new Map<string, number>();
  readonly #options: FileOptions;
  readonly #logs: LogCurves;
  /** Numbers of the open files, in the order of their last use. */
  readonly #used: number[] = [];
  /**
   * For each open port, a function that fails its requests. It also keeps the ports referenced: Electron closes a port
   * that is garbage collected.
   */
  readonly #ports = new Map<Port, (problem: Problem) => void>();
  readonly #watchers = new Set<Watcher>();
  /** Limits long records in memory to one, for the exports, searches and values of all pages. */
  readonly #longs = new Turns(1);

  /** @param paths the first files. A file is opened at the first request for its records. */
  constructor(paths: readonly string[], { logs = logsAmong(paths), ...options }: HostOptions = {}) {
    this.#options = options;
    this.#logs = new LogCurves(options);
    this.#logs.add(logs);
    for (const path of paths) this.#list(path);
  }

  /**
   * Answers the requests that `port` receives, until it closes.
   *
   * @example
   * const host = new Host([]);
   * host.serve(portOf(port));
   * // May send { id: 1, ask: 'add', args: { paths: ['a.tfrecord'] }, credits: 1 }.
   * host.serve(portOf(mainPort), { mayAdd: true });
   */
  serve(port: Port, { mayAdd = false }: ServeOptions = {}): void {
    const add: Answers['add'] = mayAdd ? ({ paths }) => lastOf(() => this.#add(paths)) : undefined;
    const fail = serve(port, { ...this.#answers(), add }, () => this.#files.length, problemOf);
    this.#ports.set(port, fail);
    port.onClose(() => this.#ports.delete(port));
  }

  /**
   * Closes all files. Pending requests fail.
   *
   * @example
   * const host = new Host(['train.tfrecord.gz']);
   * await host.close();
   */
  async close(): Promise<void> {
    const problem = { code: 'TFR_CLOSED', message: 'The files were closed.', record: null };
    for (const fail of this.#ports.values()) fail(problem);
    await Promise.all([this.#logs.close(), ...this.#files.map((file) => file.close())]);
  }

  /** Returns the answers for one page. Limits apply to each page, so that a stalled page does not delay others. */
  #answers(): Answers {
    // Statistics and checks for damage run in the background: searches do not wait for them.
    const reports = new Turns(SCANS_AT_ONCE);
    const scans = new Turns(SCANS_AT_ONCE);
    // Records may be very long, so one is read at a time.
    const reads = new Turns(1);
    return {
      files: (_, signal) => this.#states(signal),
      rows: ({ file, records }, signal) => this.#use(file).rows(records, reads, signal),
      record: ({ file, record }, signal) => lastOf(() => this.#use(file).tree(record, reads, signal)),
      value: (args, signal) => this.#value(args, reads, signal),
      find: ({ file, conditions }, signal) => scans.during(signal, () => find(this.#scanned(file), conditions, signal)),
      statistics: ({ file }, signal) => reports.during(signal, () => describe(this.#at(file), signal)),
      damage: ({ file }, signal) => reports.during(signal, () => damage(this.#scanned(file), signal)),
      forget: ({ file }) => lastOf(() => this.#at(file).forget()),
      export: ({ file, selection, format }, signal) =>
        scans.during(signal, () => exportRecords(this.#scanned(file), selection, format, signal)),
      logs: (_, signal) => this.#logs.states(signal),
      curves: ({ reading, wanted }) => this.#logs.parts(reading, wanted),
      csv: ({ reading, curves }, signal) =>
        scans.during(signal, () => {
          const named = this.#logs.named(reading, curves);
          return curveCsv(this.#logs.sources, named, this.#options, signal);
        }),
      readLogsAgain: () =>
        lastOf(() => {
          this.#logs.readAgain();
          return Promise.resolve(null);
        }),
    };
  }

  /** Adds the files at `paths`, each once. Returns their numbers. */
  async #add(paths: readonly string[]): Promise<{ files: number[] }> {
    const found: string[] = [];
    for (const path of paths) {
      // A missing file is listed, too; opening it reports the error.
      try {
        const isWhole = await isFolder(path);
        const files = isWhole ? await filesIn(path) : [path];
        const logs = logsAmong(files);
        if (logs.length > 0) this.#logs.add(isWhole ? [path] : logs);
        for (const file of files) found.push(file);
      } catch (error) {
        throw fromNodeError(error, path, 'open');
      }
    }
    const files = found.map((path) => this.#numbers.get(resolve(path)) ?? this.#list(path));
    return { files: [...new Set(files)] };
  }

  /** Adds a file to the list. Returns its number. */
  #list(path: string): number {
    const number = this.#files.length;
    this.#files.push(new ViewedFile(path, number, this.#options, () => this.#changed(number)));
    this.#numbers.set(resolve(path), number);
    this.#changed(number);
    return number;
  }

  async *#states(signal: AbortSignal): AsyncGenerator<readonly FileState[], null> {
    const watcher: Watcher = { changed: new Set(this.#files.keys()), feed: new Feed<true>() };
    this.#watchers.add(watcher);
    try {
      watcher.feed.put(true);
      for (let sent = 0; (await watcher.feed.next(signal)) !== undefined; sent++) {
        const files = [...watcher.changed];
        watcher.changed.clear();
        yield files.map((number) => this.#at(number).state());
        await new Promise((resolve) => setTimeout(resolve, sent < FIRST_STATES ? FIRST_STATE_MS : STATE_MS));
      }
      return null;
    } finally {
      this.#watchers.delete(watcher);
    }
  }

  async *#value(
    { file, record, place, from, to }: Asks['value']['args'],
    reads: Turns,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, null> {
    const read = (): Promise<Uint8Array> => this.#use(file).value(record, place, reads, signal);
    let value: Uint8Array | undefined = await read();
    if (value.buffer.byteLength > LONG_BYTES) {
      // It must not hold memory while it waits for its turn.
      value = undefined;
      yield* longPieces(this.#longs, read, { from, to }, signal);
      return null;
    }
    const stop = Math.min(to, value.length);
    // Copies, because a MessagePort would clone the whole buffer of a view.
    for (let at = from; at < stop; at += PIECE_BYTES) yield value.slice(at, Math.min(at + PIECE_BYTES, stop));
    return null;
  }

  /** Returns a file for a scan. */
  #scanned(index: number): ScannedFile {
    return { file: this.#at(index), longs: this.#longs, use: () => this.#use(index) };
  }

  #at(index: number): ViewedFile {
    const file = this.#files[index];
    if (file === undefined) throw notThere(`There is no file ${index}.`);
    return file;
  }

  /** Returns a file. If too many are open, closes the least recently used one. */
  #use(index: number): ViewedFile {
    const at = this.#used.indexOf(index);
    if (at >= 0) this.#used.splice(at, 1);
    this.#used.push(index);
    if (this.#used.length > MAX_OPEN) void this.#at(this.#used.shift()!).close();
    return this.#at(index);
  }

  #changed(number: number): void {
    for (const { changed, feed } of this.#watchers) {
      changed.add(number);
      feed.put(true);
    }
  }
}

/**
 * An answer without batches. It starts the work at the first `next`, because an error of a request that was cancelled
 * before would be unhandled.
 */
async function* lastOf<T>(answer: () => Promise<T>): AsyncGenerator<never, T> {
  return await answer();
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (about) => about.isDirectory(),
    () => false,
  );
}
