import { fromNodeError, TFRecordError, workingFolder, type Phase } from '../../base';
import {
  expandPathSync,
  MemorySource,
  pullBytesSync,
  pullDescriptorSync,
  type ClassifiedSource,
  type ExpandedPath,
  type SyncPull,
} from '../../io';
import type { Portion, Splitter } from './input-stream';
import type { ReadPlan } from './read-options';
import { lookAtSync } from './sync-files';

/** Sources that can be read without promises. */
export type SyncSource =
  Extract<ClassifiedSource, { kind: 'paths' }> | { readonly kind: 'bytes'; readonly source: MemorySource };

/** True if `source` can be read without promises: paths, and bytes in memory. */
export function isSync(source: ClassifiedSource): source is SyncSource {
  return source.kind === 'paths' || source.source instanceof MemorySource;
}

/** One file or stream that the calling thread reads: an `InputStream` without promises. */
export interface SyncStream<P extends Portion> {
  /** The path, or `-`, `<bytes>`. */
  readonly file: string;
  /** Returns the next portion, with outcome More, End or Halt. */
  next(): P;
  /** As `InputStream.skip`. */
  skip(): void;
  /** Closes the stream; nothing is open when it returns. Idempotent. */
  close(): void;
}

/** Opens the inputs of a source as {@link SyncStream}s. */
export interface SyncOpener<P extends Portion> {
  /** Returns a stream of the regular file `at`, which has `bytes` bytes. `file`: the name in errors. */
  openFile(file: string, bytes: number, at: string): SyncStream<P>;
  /** Returns a stream of chunks; `bytes` is their total size, if known. Calls `open` once: `close` closes what it opens. */
  openFed(file: string, open: () => SyncPull, bytes: number | undefined): SyncStream<P>;
}

/** Reads the inputs of a source, one after the other, on the calling thread, and applies the error policy. */
export class SyncSequence<P extends Portion, T extends object> {
  readonly #source: SyncSource;
  readonly #plan: ReadPlan;
  readonly #opener: SyncOpener<P>;
  readonly #splitter: Splitter<P, T>;
  #paths: ExpandedPath[] | undefined;
  /** The folder to which relative paths are relative. */
  #folder: string | undefined;
  #nextPath = 0;
  #stream: SyncStream<P> | undefined;
  #closed = false;

  constructor(source: SyncSource, plan: ReadPlan, opener: SyncOpener<P>, splitter: Splitter<P, T>) {
    this.#source = source;
    this.#plan = plan;
    this.#opener = opener;
    this.#splitter = splitter;
  }

  get phase(): Phase {
    if (this.#closed) return 'closed';
    return this.#paths === undefined ? 'new' : 'open';
  }

  /** Number of the file of the last element. */
  get input(): number {
    return this.#nextPath - 1;
  }

  /** Returns the next element; undefined at the end and when closed. After an error, and at the end, it is closed. */
  next(): T | undefined {
    let found: T | undefined;
    try {
      found = this.#closed ? undefined : this.#find();
    } catch (error) {
      this.close();
      throw error;
    }
    if (found === undefined) this.close();
    return found;
  }

  close(): void {
    this.#closed = true;
    this.#stream?.close();
    this.#stream = undefined;
  }

  #find(): T | undefined {
    for (;;) {
      // Checked here, because skipping may take long between two elements.
      this.#plan.signal?.throwIfAborted();
      const step = this.#splitter.next();
      // onError and report may have closed the reader.
      if (this.#closed) return undefined;
      if (typeof step === 'object') return step;
      if (step === 'stop') return undefined;
      if (step === 'skipped') continue;
      if (step === 'skip') this.#stream?.skip();
      if (step === 'done') {
        this.#stream?.close();
        this.#stream = undefined;
      }
      if (this.#stream === undefined && !this.#openNext()) return undefined;
      const stream = this.#stream;
      if (stream !== undefined) this.#splitter.load(stream.file, stream.next());
    }
  }

  /** Opens the next file. Returns false after the last one. Sets no stream if the file cannot be opened and is skipped. */
  #openNext(): boolean {
    this.#paths ??= this.#expand();
    const next = this.#paths.at(this.#nextPath++);
    if (next === undefined) {
      this.#plan.policy.ended();
      return false;
    }
    try {
      this.#stream = this.#open(next);
      return true;
    } catch (error) {
      if (!(error instanceof TFRecordError)) throw error;
      return this.#plan.policy.resolve(error) === 'skip' && !this.#closed;
    }
  }

  #expand(): ExpandedPath[] {
    this.#folder = workingFolder();
    // Bytes are one input without a path.
    return this.#source.kind === 'bytes' ? [{ path: '<bytes>' }] : this.#source.paths.flatMap(expandPathSync);
  }

  #open(path: ExpandedPath): SyncStream<P> {
    if (this.#source.kind === 'bytes') {
      const { bytes, size } = this.#source.source;
      return this.#opener.openFed(path.path, () => pullBytesSync(bytes, size, path.path), size);
    }
    const { file, at, bytes } = lookAtSync(path, this.#folder);
    try {
      if (bytes !== undefined) return this.#opener.openFile(file, bytes, at);
      return this.#opener.openFed(file, () => pullDescriptorSync(at, file), undefined);
    } catch (cause) {
      throw fromNodeError(cause, file, 'open');
    }
  }
}
