import { PIECE_BYTES, serve, type Answers, type Asks, type FileState, type Port } from '../protocol';
import { describe } from './describe';
import { Feed } from './feed';
import { problemOf } from './problem';
import { damage, exportRecords, find } from './scan';
import { ViewedFile, type FileOptions } from './viewed-file';

/** Files whose places of records are kept at a time. */
const MOST_OPEN = 8;
/** Milliseconds between two lists of files, of which the first ones come fast: a page waits for the first records. */
const STATE_MS = 100;
const FIRST_STATE_MS = 10;
const FIRST_STATES = 10;

/**
 * Reads files for pages, and for nobody else: a page names a file by its number in the list, never by a path. One host
 * serves any number of pages, each through a {@link Port}.
 *
 * @example
 * const host = new Host(['train.tfrecord.gz']);
 * host.serve(port);
 */
export class Host {
  readonly #files: readonly ViewedFile[];
  /** Numbers of the files that are open, the one that was used last at the end. */
  readonly #used: number[] = [];
  readonly #watchers = new Set<Feed<true>>();

  constructor(paths: readonly string[], options: FileOptions = {}) {
    const changed = (): void => this.#changed();
    this.#files = paths.map((path, index) => new ViewedFile(path, index, options, changed));
  }

  /** Answers what comes through `port`, until it closes. */
  serve(port: Port): void {
    serve(port, this.#answers, this.#files.length, problemOf);
  }

  /** Closes all files. Requests that are under way fail. */
  async close(): Promise<void> {
    await Promise.all(this.#files.map((file) => file.close()));
  }

  readonly #answers: Answers = {
    files: (_, signal) => this.#states(signal),
    rows: ({ file, records }, signal) => this.#use(file).rows(records, signal),
    record: ({ file, record }, signal) => lastOf(this.#use(file).tree(record, signal)),
    value: (args, signal) => this.#value(args, signal),
    find: ({ file, conditions }, signal) => find(this.#at(file), conditions, signal),
    statistics: ({ file }, signal) => describe(this.#at(file), signal),
    damage: ({ file }, signal) => damage(this.#at(file), signal),
    export: ({ file, selection, format }, signal) => exportRecords(this.#at(file), selection, format, signal),
  };

  async *#states(signal: AbortSignal): AsyncGenerator<readonly FileState[], null> {
    const feed = new Feed<true>();
    this.#watchers.add(feed);
    try {
      feed.put(true);
      for (let sent = 0; (await feed.next(signal)) !== undefined; sent++) {
        yield this.#files.map((file) => file.state());
        await new Promise((resolve) => setTimeout(resolve, sent < FIRST_STATES ? FIRST_STATE_MS : STATE_MS));
      }
      return null;
    } finally {
      this.#watchers.delete(feed);
    }
  }

  async *#value(
    { file, record, place, from, to }: Asks['value']['args'],
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, null> {
    const value = await this.#use(file).value(record, place, signal);
    const end = Math.min(to, value.length);
    // Copies: a MessagePort would clone the whole memory behind a view.
    for (let at = from; at < end; at += PIECE_BYTES) yield value.slice(at, Math.min(at + PIECE_BYTES, end));
    return null;
  }

  #at(index: number): ViewedFile {
    const file = this.#files[index];
    if (file === undefined) throw new RangeError(`There is no file ${index}.`);
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

  #changed(): void {
    for (const watcher of this.#watchers) watcher.put(true);
  }
}

/** An answer without batches. */
async function* lastOf<T>(answer: Promise<T>): AsyncGenerator<never, T> {
  return await answer;
}
