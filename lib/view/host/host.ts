import { resolve } from 'node:path';

import { fromNodeError } from '../../base';
import { filesIn, isFolder } from '../../record';
import { PIECE_BYTES, serve, type Answers, type Asks, type FileState, type Port, type Problem } from '../protocol';
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

/** Files whose places of records are kept at a time. */
const MOST_OPEN = 8;
/** Milliseconds between two lists of files, of which the first ones come fast: a page waits for the first records. */
const STATE_MS = 100;
const FIRST_STATE_MS = 10;
const FIRST_STATES = 10;
/** Searches and exports that one page may run at a time; reports have the same limit. */
const SCANS_AT_ONCE = 4;

/** A page that is told of the files. */
interface Watcher {
  /** Numbers of the files that changed since it was told last. */
  readonly changed: Set<number>;
  readonly feed: Feed<true>;
}

/** The requests that a port of {@link Host.serve} may take. */
export interface ServeOptions {
  /**
   * True if requests that add files to the list are answered. For a port whose other end is the program itself, not a
   * page: it names files by their paths. Default: false.
   */
  readonly mayAdd?: boolean | undefined;
}

/**
 * Reads files for pages: a page names a file by its number in the list, never by a path. One host serves any number of
 * pages, each through a {@link Port}. What comes is checked; whatever is no request gets an error, and nothing else.
 *
 * @example
 * const host = new Host(['train.tfrecord.gz']);
 * // In a utility process of Electron, the main process has sent a port for the page.
 * host.serve(portOf(port));
 */
export class Host {
  readonly #files: ViewedFile[] = [];
  /** The numbers of the files by their whole paths. */
  readonly #numbers = new Map<string, number>();
  readonly #options: FileOptions;
  /** Numbers of the files that are open, the one that was used last at the end. */
  readonly #used: number[] = [];
  /** How the requests of each open port fail. Ports are held here: Electron closes one that is garbage collected. */
  readonly #ports = new Map<Port, (problem: Problem) => void>();
  readonly #watchers = new Set<Watcher>();
  /** One long record at a time is in memory for the exports, searches and values of all pages. */
  readonly #longs = new Turns(1);

  /** @param paths the first files. None is opened before a page asks for its records. */
  constructor(paths: readonly string[], options: FileOptions = {}) {
    this.#options = options;
    for (const path of paths) this.#list(path);
  }

  /**
   * Answers what comes through `port`, until it closes.
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
   * Closes all files. Requests that are under way fail.
   *
   * @example
   * const host = new Host(['train.tfrecord.gz']);
   * await host.close();
   */
  async close(): Promise<void> {
    const problem = { code: 'TFR_CLOSED', message: 'The files were closed.', record: null };
    for (const fail of this.#ports.values()) fail(problem);
    await Promise.all(this.#files.map((file) => file.close()));
  }

  /** Returns the answers to one page. Its requests wait for each other, so that one that stalls holds up no other page. */
  #answers(): Answers {
    // Statistics and checks for damage go on in the background: searches do not wait for them.
    const reports = new Turns(SCANS_AT_ONCE);
    const scans = new Turns(SCANS_AT_ONCE);
    // A record may be very long.
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
    };
  }

  /** Returns the numbers of the files at `paths`, each of which is listed once. */
  async #add(paths: readonly string[]): Promise<{ files: number[] }> {
    const found: string[] = [];
    for (const path of paths) {
      // A file that is not there is listed, and opening it says why it cannot be read.
      try {
        for (const file of (await isFolder(path)) ? await filesIn(path) : [path]) found.push(file);
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
      // While it waits for its turn, it keeps no memory.
      value = undefined;
      yield* longPieces(this.#longs, read, { from, to }, signal);
      return null;
    }
    const stop = Math.min(to, value.length);
    // Copies: a MessagePort would clone the whole memory behind a view.
    for (let at = from; at < stop; at += PIECE_BYTES) yield value.slice(at, Math.min(at + PIECE_BYTES, stop));
    return null;
  }

  /** Returns a file for work that reads all of it. */
  #scanned(index: number): ScannedFile {
    return { file: this.#at(index), longs: this.#longs, use: () => this.#use(index) };
  }

  #at(index: number): ViewedFile {
    const file = this.#files[index];
    if (file === undefined) throw notThere(`There is no file ${index}.`);
    return file;
  }

  /** Returns a file, and closes the one that was not used for longest if too many are open. */
  #use(index: number): ViewedFile {
    const at = this.#used.indexOf(index);
    if (at >= 0) this.#used.splice(at, 1);
    this.#used.push(index);
    if (this.#used.length > MOST_OPEN) void this.#at(this.#used.shift()!).close();
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
 * An answer without batches. The work begins when the answer is asked for, because nobody would catch the error of a
 * request that was cancelled before.
 */
async function* lastOf<T>(answer: () => Promise<T>): AsyncGenerator<never, T> {
  return await answer();
}
