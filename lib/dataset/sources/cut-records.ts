/** Reads and checks the records of files that are not TFRecord files. */
import {
  faultError,
  method,
  type Bytes,
  type Fault,
  type FaultPlace,
  type Mention,
  type TFRecordError,
} from '../../base';
import { type ClassifiedSource } from '../../io';
import {
  FillOutcome,
  InputSequence,
  newBatch,
  slabStreams,
  stepAfter,
  type BatchFrames,
  type ErrorPolicy,
  type FilledSlab,
  type InputStream,
  type ReadPlan,
  type RecordBatch,
  type SequenceStart,
  type Splitter,
  type Step,
  type StreamOpener,
} from '../../record';

/** Records of one slab. */
export interface CutFrames extends BatchFrames {
  /** The last of the head records, which are not handed out; undefined if there are none. */
  readonly head: Bytes | undefined;
}

/** Returns the first invalid record among `begin` to `end`, and its error; undefined if all are valid. */
export type RecordCheck = (
  source: CutFrames,
  begin: number,
  end: number,
) => { readonly frame: number; readonly error: TFRecordError } | undefined;

/** Checks the head of a file without further records. (If records follow, their decoder checks the head.) */
type HeadCheck = (source: CutFrames) => TFRecordError | undefined;

/** How the records of a file are checked. */
export interface CutChecks {
  /** Number of records at the start of a file that are not handed out. */
  readonly headRecords: number;
  /** True if the last of them is needed as {@link CutFrames.head}. */
  readonly wantsHead: boolean;
  readonly check?: RecordCheck | undefined;
  readonly checkHead?: HeadCheck | undefined;
  /** Returns the error for the fault that ends a file. Default: as for TFRecords. */
  readonly errorOf?: ((fault: Fault, place: FaultPlace) => TFRecordError) | undefined;
}

/** Returns the error for `fault`. These sources have no option `onError`: the method of datasets does the same. */
export function cutError(fault: Fault, place: FaultPlace): TFRecordError {
  return faultError(fault, place, (mention: Mention) => {
    const { option, value } = mention;
    return option === 'onError' && value !== undefined ? method(option, value) : mention;
  });
}

/** The batches of records of a source. */
type CutSequence = InputSequence<HeadedSlab, RecordBatch>;

/** Reads the records of `source`, file after file, in batches of neighbouring records. */
export function cutSequence(
  source: ClassifiedSource,
  plan: ReadPlan,
  checks: CutChecks,
  start: SequenceStart | undefined,
): CutSequence {
  const streams = slabStreams(plan);
  const opener = checks.wantsHead ? headedStreams(streams, plan, checks) : streams;
  return new InputSequence(source, plan, opener, new CutSplitter(plan.policy, checks), start);
}

/** A slab. The first slab of a file that is read from a record on also has the head of the file. */
interface HeadedSlab extends FilledSlab {
  readonly head?: Bytes | undefined;
}

/** Opens the same streams as `streams`, but adds the head to the first slab of a file that is read from a record on. */
function headedStreams(streams: StreamOpener<FilledSlab>, plan: ReadPlan, checks: CutChecks): StreamOpener<HeadedSlab> {
  const once = slabStreams({ ...plan, readAhead: 0, notes: false });
  return {
    findStart: streams.findStart,
    openBytes(source, place, identity) {
      const stream = streams.openBytes(source, place, identity);
      if (place === undefined) return stream;
      return new HeadedStream(stream, once.openBytes(source, undefined), checks.headRecords);
    },
    openFile(path, bytes, place, at, identity) {
      const stream = streams.openFile(path, bytes, place, at, identity);
      if (place === undefined) return stream;
      return new HeadedStream(stream, once.openFile(path, bytes, undefined, at), checks.headRecords);
    },
  };
}

/** Reads the head of a file, then the file from a record on. */
class HeadedStream implements InputStream<HeadedSlab> {
  readonly file: string;
  readonly inputBytes: number | undefined;
  readonly #stream: InputStream<FilledSlab>;
  readonly #start: InputStream<FilledSlab>;
  readonly #headRecords: number;
  #began = false;

  constructor(stream: InputStream<FilledSlab>, start: InputStream<FilledSlab>, headRecords: number) {
    this.file = stream.file;
    this.inputBytes = stream.inputBytes;
    this.#stream = stream;
    this.#start = start;
    this.#headRecords = headRecords;
  }

  prime(): void {
    // The head comes first.
  }

  async next(): Promise<HeadedSlab | undefined> {
    if (this.#began) return this.#stream.next();
    this.#began = true;
    let head: Bytes | undefined;
    for (let outcome = FillOutcome.More; head === undefined && outcome === FillOutcome.More;) {
      const read = await this.#start.next();
      if (read === undefined) return undefined;
      head = headOf(read, this.#headRecords);
      outcome = read.result.outcome;
      // The head cannot be read. The records before the fault were delivered earlier.
      if (head === undefined && outcome === FillOutcome.Halt)
        return { ...read, result: { ...read.result, frames: NO_FRAMES } };
    }
    await this.#start.close();
    const first = await this.#stream.next();
    return first === undefined ? undefined : { ...first, head };
  }

  skip(): void {
    this.#stream.skip();
  }

  async close(): Promise<void> {
    await Promise.all([this.#stream.close(), this.#start.close()]);
  }
}

const NO_FRAMES = new Uint32Array(0);

/** Returns a copy of record number `headRecords - 1`, if it is in the slab. */
function headOf({ slab, result }: FilledSlab, headRecords: number): Bytes | undefined {
  const frame = headRecords - 1 - result.firstRecord;
  if (frame < 0 || frame >= result.frames.length / 2) return undefined;
  const at = result.frames[2 * frame]!;
  return slab.slice(at, at + result.frames[2 * frame + 1]!);
}

/** Hands out the valid records. Asks the policy about each invalid record, and about a fault that ends a file early. */
class CutSplitter implements Splitter<HeadedSlab, RecordBatch> {
  readonly #policy: ErrorPolicy;
  readonly #checks: CutChecks;
  #filled: HeadedSlab | undefined;
  #source: CutFrames | undefined;
  #frame = 0;
  #error: TFRecordError | undefined;

  constructor(policy: ErrorPolicy, checks: CutChecks) {
    this.#policy = policy;
    this.#checks = checks;
  }

  load(file: string, filled: HeadedSlab): void {
    const { headRecords, wantsHead } = this.#checks;
    const { slab, result } = filled;
    const { frames, firstRecord, base } = result;
    const before = firstRecord > 0 && this.#source?.file === file ? this.#source.head : undefined;
    const head = filled.head ?? (wantsHead ? headOf(filled, headRecords) : undefined) ?? before;
    this.#filled = filled;
    this.#source = { file, slab, frames, firstRecord, base, head };
    this.#frame = Math.min(frames.length / 2, Math.max(0, headRecords - firstRecord));
  }

  next(): Step<RecordBatch> {
    if (this.#error !== undefined) return this.#resolve(this.#error);
    if (this.#filled === undefined) return 'fill';
    const source = this.#source!;
    const begin = this.#frame;
    const frames = source.frames.length / 2;
    if (begin < frames) {
      const bad = this.#checks.check?.(source, begin, frames);
      const end = bad?.frame ?? frames;
      this.#error = bad?.error;
      this.#frame = bad === undefined ? end : end + 1;
      if (end === begin) return this.next();
      this.#policy.passed(end - begin);
      return newBatch(source, begin, end);
    }
    const { result } = this.#filled;
    this.#filled = undefined;
    const { headRecords, checkHead, errorOf = cutError } = this.#checks;
    const step = stepAfter(this.#policy, source.file, result, errorOf);
    if (result.outcome !== FillOutcome.End || source.firstRecord + frames !== headRecords) return step;
    const wrong = checkHead?.(source);
    return wrong !== undefined && this.#policy.resolve(wrong) === 'stop' ? 'stop' : 'done';
  }

  #resolve(error: TFRecordError): 'stop' | 'skipped' {
    this.#error = undefined;
    return this.#policy.resolve(error) === 'stop' ? 'stop' : 'skipped';
  }
}
