import { closingFile, forgetAhead, noteAhead, type OpensAhead } from '../../io';
import type { Input } from './input';
import type { AheadShare, InputStream, Portion, StreamOpener } from './input-stream';

/** Maximum number of bytes that all files ahead of their turn hold together. */
const AHEAD_BYTES = 16 * 1024 * 1024;
/** Maximum number of files that are open ahead of their turn. */
const MAX_FILES = 4;

interface AheadFile<P extends Portion> {
  /** Resolves with undefined for anything but a regular file, which is opened only when the previous input has ended. */
  readonly opening: Promise<InputStream<P> | undefined>;
  stream: InputStream<P> | undefined;
  closed: boolean;
}

/**
 * The files that a reader has opened ahead of their turn. During a plain file, the next file is opened at its last slab.
 * During a compressed file, the next files are inflated on other cores: one from the start, and one more whenever all of
 * these are inflated to their ends, as far as their contents fit into the share.
 */
export class FilesAhead<P extends Portion> implements OpensAhead, AheadShare {
  readonly #opener: StreamOpener<P>;
  readonly #inputAt: (place: number) => Input | undefined;
  readonly #readsAhead: boolean;
  /** The files, in the order of their turns. */
  #files: AheadFile<P>[] = [];
  #held = 0;
  /** False after descriptors ran short. */
  #mayOpenEarly: boolean;
  /** True if all open files were read to their ends. */
  #ended = false;
  #closed = false;
  #closing: Promise<unknown> = Promise.resolve();

  /** `inputAt` returns the next input for 0, then those after it. `readsAhead`: if false, files are opened but not read. */
  constructor(opener: StreamOpener<P>, readsAhead: boolean, inputAt: (place: number) => Input | undefined) {
    this.#opener = opener;
    this.#inputAt = inputAt;
    this.#readsAhead = this.#mayOpenEarly = readsAhead;
  }

  get room(): number {
    return this.#closed ? 0 : AHEAD_BYTES - this.#held;
  }

  hold(bytes: number): void {
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
    if (bytes === 0 || this.#closed) return;
    for (const file of this.#files) if (file.stream !== undefined) this.#prime(file.stream);
    if (this.#ended) this.#openEarly();
  }

  ended(): void {
    this.#ended = true;
    this.#openEarly();
  }

  /** Opens the next input, if it is a file. Called when the last records of the current one were read. */
  open(): void {
    const input = this.#inputAt(0);
    if (input !== undefined && !this.#closed && this.#files.length === 0) this.#add(input);
  }

  /** Opens the next input, if it is a file. Called when the current input is compressed and has more records. */
  readOn(): void {
    if (this.#files.length === 0) this.#openEarly();
  }

  /** Takes the next input out. Returns undefined, or resolves with undefined, if it was not opened. */
  take(): AheadFile<P>['opening'] | undefined {
    const file = this.#files.shift();
    if (this.#files.length === 0) forgetAhead(this);
    return file?.opening;
  }

  /** Closes the files to free their descriptors. Each is opened again at its turn. */
  closeAhead(): boolean {
    const files = this.#files.splice(0);
    if (files.length === 0) return false;
    this.#mayOpenEarly = false;
    forgetAhead(this);
    const closing = files.map(async (file) => {
      file.closed = true;
      await shut(await file.opening.catch(() => undefined));
    });
    this.#closing = Promise.allSettled([this.#closing, ...closing]);
    return true;
  }

  /** Closes all files. Resolves when none is open. */
  async close(): Promise<void> {
    this.#closed = true;
    this.closeAhead();
    await this.#closing;
  }

  #openEarly(): void {
    const input = this.#inputAt(this.#files.length);
    if (input === undefined || !this.#mayOpenEarly || this.room <= 0 || this.#files.length >= MAX_FILES) return;
    this.#add(input);
  }

  /** Opens `input` only if it is a file or an object, because a pipe that is closed to free its descriptor cannot be read again. */
  #add(input: Input): void {
    const opening =
      input.opensEarly === true
        ? input.open(this.#opener)
        : input.size().then((bytes) => (bytes === undefined ? undefined : input.open(this.#opener)));
    const file: AheadFile<P> = { opening, stream: undefined, closed: false };
    this.#ended = false;
    this.#files.push(file);
    noteAhead(this);
    const opened = (stream: InputStream<P> | undefined): void => {
      if (stream === undefined || file.closed || this.#closed) return;
      file.stream = stream;
      this.#prime(stream);
    };
    // A failure is reported at the turn of the file.
    opening.then(opened).catch(() => undefined);
  }

  #prime(stream: InputStream<P>): void {
    try {
      stream.prime(this.#readsAhead ? this : undefined);
    } catch {
      // If memory is short, it is requested again at the turn of the file.
    }
  }
}

/** Closes a stream. Only streams with a size have a descriptor of ours; the others are sources of the user. */
export async function shut(stream: InputStream<Portion> | undefined): Promise<void> {
  if (stream === undefined) return;
  await (stream.inputBytes === undefined ? stream.close() : closingFile(stream.close()));
}
