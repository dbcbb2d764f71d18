import type { Input } from '../source/input';
import { closingFile, forgetAhead, noteAhead, type OpensAhead } from './descriptors';
import type { AheadShare, InputStream, Portion, StreamOpener } from './input-stream';

/** Most bytes that the files ahead of their turn hold together. */
const AHEAD_BYTES = 16 * 1024 * 1024;
/** Most files that are open ahead of their turn. */
const MOST_FILES = 4;

interface AheadFile<P extends Portion> {
  /** Undefined for what is no regular file: that is opened when the input before it has ended. */
  opening: Promise<InputStream<P> | undefined>;
  stream: InputStream<P> | undefined;
  closed: boolean;
}

/**
 * The files that a reader has opened ahead of their turn. Behind a plain file that is the next one, from the last slab of
 * the file before it on. Compressed files are inflated on other cores while those before them are used: the next one from
 * the start, and another as soon as that is there to its end, as far as their contents fit the share.
 */
export class FilesAhead<P extends Portion> implements OpensAhead, AheadShare {
  readonly #opener: StreamOpener<P>;
  readonly #inputAt: (place: number) => Input | undefined;
  readonly #readsAhead: boolean;
  /** In the order of their turns. */
  #files: AheadFile<P>[] = [];
  #held = 0;
  /** False where descriptors are short. */
  #mayOpenEarly: boolean;
  /** True if all files that were opened are there to their ends. */
  #ended = false;
  #closed = false;
  #closing: Promise<unknown> = Promise.resolve();

  /** `inputAt`: the input that comes next, for 0, and those behind it. `readsAhead`: false, and only files are opened. */
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

  /** The last records of an input are there: opens the next one. */
  open(): void {
    const input = this.#inputAt(0);
    if (input === undefined || this.#closed) return;
    const next = this.#files.at(0);
    if (next === undefined) this.#add(input.open(this.#opener));
    else if (next.stream === undefined)
      this.#await(
        next,
        next.opening.then((stream) => stream ?? input.open(this.#opener)),
      );
  }

  /** The input whose turn it is is compressed, and has more: opens the next one, if that is a file. */
  readOn(): void {
    if (this.#files.length === 0) this.#openEarly();
  }

  /** The next input, if it was opened; resolves to undefined if it was not. */
  take(): AheadFile<P>['opening'] | undefined {
    const file = this.#files.shift();
    if (this.#files.length === 0) forgetAhead(this);
    return file?.opening;
  }

  /** Closes them for their descriptors: each is opened again at its turn. */
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

  /** Resolves when none is open. */
  async close(): Promise<void> {
    this.#closed = true;
    this.closeAhead();
    await this.#closing;
  }

  #openEarly(): void {
    const input = this.#inputAt(this.#files.length);
    if (input === undefined || !this.#mayOpenEarly || this.room <= 0 || this.#files.length >= MOST_FILES) return;
    const opening = input.size().then((bytes) => (bytes === undefined ? undefined : input.open(this.#opener)));
    this.#add(opening);
  }

  #add(opening: AheadFile<P>['opening']): void {
    const file = { opening, stream: undefined, closed: false };
    this.#ended = false;
    this.#files.push(file);
    noteAhead(this);
    this.#await(file, opening);
  }

  #await(file: AheadFile<P>, opening: AheadFile<P>['opening']): void {
    file.opening = opening;
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
      // Memory that is short is asked for again at the turn of the file.
    }
  }
}

/** Closes a stream. Those without a size, as sources of the user's, have no descriptor of ours. */
export async function shut(stream: InputStream<Portion> | undefined): Promise<void> {
  if (stream === undefined) return;
  await (stream.inputBytes === undefined ? stream.close() : closingFile(stream.close()));
}
