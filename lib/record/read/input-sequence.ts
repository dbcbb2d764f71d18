import { TFRecordError, LoopTurns, isLackOfDescriptors, lacksDescriptors, type Phase, onAbort } from '../../base';
import { FillOutcome, type SlabFill } from '../../native';
import { sourceName, type ChunkPull, type ClassifiedSource, filesClosed, freeDescriptors } from '../../io';
import { inputsOf, type Input } from './input';
import { FilesAhead, shut } from './files-ahead';
import type { InputStream, Portion, SourceStart, Splitter, StreamOpener } from './input-stream';
import type { ReadPlan } from './read-options';

/** The position in a sequence of inputs. */
interface InputPlace {
  readonly input: number;
  readonly bytes: number | undefined;
}

/** The number of the first input to read, and the place in it where reading begins. */
export interface SequenceStart {
  readonly input: number;
  readonly place?: SourceStart | undefined;
}

/** How an input was opened. As long as nothing was read from it, it can be opened again. */
interface Opened {
  readonly place: SourceStart | undefined;
  /** True if it was opened while the previous input was still in use. */
  ahead: boolean;
  /** The result of `filesClosed()` before it was opened. */
  closed: number;
}

/**
 * Reads the inputs of a source, one after the other, and applies the error policy. Every asynchronous reader uses it. Only
 * one `next()` may be pending.
 */
export class InputSequence<P extends Portion, T extends object> {
  readonly #source: ClassifiedSource;
  readonly #plan: ReadPlan;
  readonly #opener: StreamOpener<P>;
  readonly #splitter: Splitter<P, T>;
  #inputs: Input[] | undefined;
  #nextInput: number;
  /** The place in the first input where reading begins. */
  #start: SourceStart | undefined;
  #stream: InputStream<P> | undefined;
  #opened: Opened | undefined;
  readonly #ahead: FilesAhead<P>;
  #closing: Promise<void> | undefined;
  #aborted: { readonly reason: unknown } | undefined;
  readonly #turns = new LoopTurns();
  #finishedBytes = 0;
  #streamBytes = 0;
  /** Size of the current input when native code opened it. */
  #openedBytes: number | undefined;
  #compression: SlabFill['compression'] | undefined;
  #totalBytes: number | undefined;
  /** Settles when the total size is known, or known to be unknown. */
  #measured: Promise<void> | undefined;
  #stopListening = (): void => undefined;
  /** Ends a step's wait for the names of files, or for descriptors. */
  #endWait = (): void => undefined;
  readonly #onAbort = (): void => {
    this.#aborted = { reason: this.#plan.signal?.reason };
    this.close().catch(() => undefined);
  };

  /** Called once, when the sequence is closed for any reason. */
  onClosed: (() => void) | undefined;

  constructor(
    source: ClassifiedSource,
    plan: ReadPlan,
    opener: StreamOpener<P>,
    splitter: Splitter<P, T>,
    start?: SequenceStart,
  ) {
    this.#source = source;
    this.#plan = plan;
    this.#opener = opener;
    this.#splitter = splitter;
    this.#ahead = new FilesAhead(opener, plan.readAhead > 0, (place) => this.#inputs?.at(this.#nextInput + place));
    this.#nextInput = start?.input ?? 0;
    this.#start = start?.place;
    if (plan.signal?.aborted === true) this.#onAbort();
    else if (plan.signal !== undefined) this.#stopListening = onAbort(plan.signal, this.#onAbort);
  }

  /** Number of stored bytes that were consumed for the elements handed out. */
  get compressedBytes(): number {
    return this.#finishedBytes + this.#streamBytes;
  }

  /** The names of all inputs; empty until they are known. */
  get files(): readonly string[] {
    return this.#inputs?.map(({ file }) => file) ?? [];
  }

  /** The number of the input of the element handed out last, and its size, if known. */
  get place(): InputPlace {
    const bytes = this.#stream?.inputBytes;
    // A file was looked at some time before native code opened it.
    return { input: this.#nextInput - 1, bytes: bytes === undefined ? undefined : (this.#openedBytes ?? bytes) };
  }

  /** The compression of the file read last. */
  get compression(): SlabFill['compression'] | undefined {
    return this.#compression;
  }

  /** Total size of all inputs, in bytes, once it is known. */
  get totalBytes(): number | undefined {
    return this.#totalBytes;
  }

  /** The name or names of the source that the user gave. */
  get sourceName(): string | readonly string[] {
    return sourceName(this.#source);
  }

  get phase(): Phase {
    if (this.closed) return 'closed';
    return this.started ? 'open' : 'new';
  }

  /** True if there is anything to close. */
  get started(): boolean {
    return this.#inputs !== undefined;
  }

  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /** True if nothing more comes, not even the reason of an abort. */
  get over(): boolean {
    return this.closed && this.#aborted === undefined;
  }

  /** Opens the first input and starts to read ahead. If that fails and the policy decides to throw, closes and rejects. */
  async open(): Promise<void> {
    await this.#orClose(async () => {
      await this.#ensureStream();
    });
    await this.#throwIfAborted();
  }

  /** Resolves with the next element; undefined at the end, when closed, and after an error. Rejects once, closed. */
  async next(): Promise<T | undefined> {
    const found = await this.#orClose(() => this.#find());
    if (found !== undefined) return found;
    await this.#throwIfAborted();
    await this.close();
    return undefined;
  }

  /** Lets the event loop turn if it has not turned for long. */
  breathe(): Promise<void> | undefined {
    return this.#turns.breathe();
  }

  /** Cancels the work under way. Resolves when nothing is open any more. Idempotent. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#stopListening();
    this.#endWait();
    this.onClosed?.();
    for (const input of this.#inputs ?? []) input.cancel?.();
    const closingAhead = this.#ahead.close();
    if (this.#aborted !== undefined && this.#nextInput === 0) await this.#giveBack();
    await shut(this.#stream);
    await closingAhead;
  }

  /** Closes the user's stream after an abort that came before it was opened: nothing else would close it. */
  async #giveBack(): Promise<void> {
    if (this.#source.kind !== 'bytes') return;
    let pull: ChunkPull;
    try {
      pull = this.#source.source.pull(0);
    } catch {
      return; // The stream is in use elsewhere, or has ended.
    }
    await pull.close();
  }

  async #orClose<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.closed) return undefined;
    try {
      const result = await work();
      return this.closed ? undefined : result;
    } catch (error) {
      if (this.closed) return undefined;
      // The first failure takes precedence over those of closing.
      await this.close().catch(() => undefined);
      throw error;
    }
  }

  /** After an abort, closes and throws the reason. It takes precedence over failures of closing. */
  async #throwIfAborted(): Promise<void> {
    if (this.#aborted === undefined) return;
    const { reason } = this.#aborted;
    this.#aborted = undefined;
    await this.close().catch(() => undefined);
    throw reason;
  }

  async #find(): Promise<T | undefined> {
    for (;;) {
      const step = this.#splitter.next();
      // Also while skipping: all records of a slab, and all files, may be damaged.
      await this.breathe();
      if (typeof step === 'object') return step;
      if (step === 'stop' || this.closed) return undefined;
      if (step === 'skipped') continue;
      if (step === 'done') await this.#leaveStream();
      if (step === 'skip') this.#stream?.skip();
      const stream = await this.#ensureStream();
      if (stream === undefined) {
        if (!this.closed) this.#plan.policy.ended();
        return undefined;
      }
      const portion = await stream.next();
      if (portion === undefined) return undefined;
      if (this.#opened !== undefined && (await this.#opensAgain(stream, portion))) continue;
      if (this.closed) return undefined;
      this.#streamBytes = portion.result.compressedBytes;
      this.#compression = portion.result.compression;
      this.#openedBytes = sizeIn(portion);
      this.#splitter.load(stream.file, portion);
      if (portion.result.outcome === FillOutcome.End) this.#ahead.open();
      else if (portion.result.compression !== 'none') this.#ahead.readOn();
    }
  }

  /**
   * Returns true if the file could not be read because no descriptor was free, and must be opened again. Closes it before
   * the wait.
   */
  async #opensAgain(stream: InputStream<P>, { result: { halt } }: P): Promise<boolean> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined || halt === undefined || !isLackOfDescriptors(halt)) return false;
    this.#ahead.closeAhead();
    await stream.close();
    if (!(await this.#mayTryAgain(opened))) return false;
    this.#stream = undefined;
    this.#start = opened.place;
    this.#nextInput--;
    return true;
  }

  /** Waits until `opened` may be opened again. Returns false if it may not. */
  async #mayTryAgain(opened: Opened): Promise<boolean> {
    const { ahead } = opened;
    // The previous input has been closed by now.
    opened.ahead = false;
    return ahead || this.#freed(opened.closed);
  }

  /** Waits for the file's turn, or for descriptors. Returns false if none will be free, and when closed. */
  async #freed(closed: number): Promise<boolean> {
    if ((await this.#untilClosed(() => this.#plan.again?.())) === true) return true;
    return (await this.#untilClosed(() => freeDescriptors(closed))) === true;
  }

  async #leaveStream(): Promise<void> {
    const stream = this.#stream;
    this.#finishedBytes += this.#streamBytes;
    this.#streamBytes = 0;
    // Kept until it is closed, so that a close of the sequence waits for it.
    await shut(stream);
    this.#stream = undefined;
  }

  /** Returns the current stream, or opens the next input that can be opened. Undefined after the last, and if stopped. */
  async #ensureStream(): Promise<InputStream<P> | undefined> {
    const inputs = (this.#inputs ??= await this.#resolve());
    if (inputs === undefined) return undefined;
    while (this.#stream === undefined && !this.closed) {
      const input = inputs.at(this.#nextInput++);
      if (input === undefined) {
        // The look at one file that was read to its end is over soon, and its size is known from then on.
        if (inputs.length === 1 && inputs[0]!.opensEarly !== true) await this.#untilClosed(() => this.#measured);
        return undefined;
      }
      const stream = await this.#tryOpen(input);
      if (stream === 'stop') {
        this.#nextInput = inputs.length;
        return undefined;
      }
      if (this.closed) {
        await stream?.close();
        return undefined;
      }
      this.#stream = stream;
      stream?.prime();
    }
    return this.#stream;
  }

  async #tryOpen(input: Input): Promise<InputStream<P> | 'stop' | undefined> {
    let ahead = this.#ahead.take();
    const opened = { place: this.#start, ahead: ahead !== undefined, closed: 0 };
    this.#opened = opened;
    this.#openedBytes = undefined;
    this.#start = undefined;
    for (;;) {
      opened.closed = filesClosed();
      try {
        const taken = ahead;
        ahead = undefined;
        return (taken && (await taken)) ?? (await input.open(this.#opener, opened.place));
      } catch (error) {
        if (!(error instanceof TFRecordError)) throw error;
        if (lacksDescriptors(error) && (await this.#mayTryAgain(opened))) continue;
        if (this.closed) return undefined;
        return this.#plan.policy.resolve(error) === 'stop' ? 'stop' : undefined;
      }
    }
  }

  /** Finds the inputs. Resolves with undefined as soon as this is closed, even if the file system does not answer. */
  async #resolve(): Promise<Input[] | undefined> {
    let inputs: Input[] | undefined;
    let closed: number;
    do {
      closed = filesClosed();
      inputs = await this.#untilClosed(() => inputsOf(this.#source, () => this.closed));
    } while (inputs?.some(({ error }) => lacksDescriptors(error)) === true && (await this.#freed(closed)));
    if (inputs === undefined || this.closed) return undefined;
    // Not awaited, because many files on a slow disk should not delay the first record.
    this.#measured = this.#measure(inputs);
    return inputs;
  }

  /** Resolves with the result of `work`, or with undefined as soon as this is closed. */
  async #untilClosed<W>(work: () => Promise<W> | undefined): Promise<W | undefined> {
    if (this.closed) return undefined;
    const closed = new Promise<undefined>((resolve) => {
      this.#endWait = () => resolve(undefined);
    });
    return Promise.race([work(), closed]);
  }

  async #measure(inputs: readonly Input[]): Promise<void> {
    let total = 0;
    for (const input of inputs) {
      const size = await input.size();
      if (size === undefined || this.closed) return;
      total += size;
    }
    this.#totalBytes = total;
  }
}

/** Returns the size of the file that `portion` is of; undefined if native code does not know it. */
function sizeIn({ result: { totalBytes = -1 } }: Portion): number | undefined {
  return totalBytes < 0 ? undefined : totalBytes;
}
