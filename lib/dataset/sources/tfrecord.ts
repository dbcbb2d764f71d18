import { checkOptions, invalidArgType } from '../../base';
import { classifySource, type MemoryPool, type RecordSource } from '../../io';
import {
  PartSequence,
  READ_OPTION_NAMES,
  recordSequence,
  resolveReadOptions,
  REUSED_SLAB_BYTES,
  type DividedFiles,
  type ErrorPolicy,
  type ReadOptions,
  type RecordBatch,
  type RecordSequence,
  type SequenceStart,
} from '../../record';
import { policyContents } from '../engine/fingerprint';
import type { Numbered } from '../engine/numbered';
import {
  Deferred,
  otherFiles,
  sizeText,
  placeCount,
  placeList,
  placeOrNull,
  placeText,
  skipping,
  type Chunk,
  type Json,
  type Mark,
  type Operator,
} from '../engine/operator';
import { RAW } from '../engine/record-forms';
import { NeighbourRecords, type RecordForm } from '../engine/records';
import { stagePath, type Run } from '../engine/run';
import type { Scope } from '../engine/scope';
import { Stage } from '../engine/stage';
import { RecordFiles } from '../numbered/record-files';
import { inOrder } from '../numbered/sequences';
import { hasFiles, hashOf, listFiles, pathsOf, sharedSource, sourceContents } from './file-sources';
import { divideAmong, filesOfPart } from './part-of-files';

/** Options of `Dataset.tfrecord`: {@link ReadOptions} without `signal`, which belongs to `iterate()`. */
export type DatasetReadOptions = Omit<ReadOptions, 'signal'>;

/** Number of concurrent sources from which on each reads only one slab ahead. */
export const MANY_BESIDE = 4;

/**
 * The place of a source of files: number of the file, number of the record in it, its byte offset (0 if the file is
 * compressed), size of the file, hash of the paths.
 */
type FilePosition = readonly [file: number, record: number, offset: number, bytes: number | null, files: string];

/** Checks `at` for the stage at `path`. @throws TFRecordError TFR_STATE_MISMATCH */
export function filePlace(path: string, at: Json): FilePosition {
  const [file, record, offset, bytes, files] = placeList(path, at, 5);
  return [
    placeCount(path, 'the number of a file', file),
    placeCount(path, 'the number of a record', record),
    placeCount(path, 'a byte', offset),
    placeOrNull(bytes, (size) => placeCount(path, 'the size of a file', size)),
    placeText(path, 'a hash of paths', files),
  ];
}

/**
 * The position at which reading resumes for `place`: plain files by seeking, compressed files at a place before the record,
 * as far as one is known, others at their start.
 */
export function startBefore(place: FilePosition | null): SequenceStart | undefined {
  if (place === null) return undefined;
  const [input, record, offset] = place;
  return { input, place: record > 0 ? { record, offset } : undefined };
}

/** `Dataset.tfrecord`: the records of files, one file after the other. */
export class TFRecordStage extends Stage {
  readonly kind = 'tfrecord';
  readonly #source: RecordSource;
  readonly #options: ReadOptions;
  /** Undefined for a source whose records can only be read in order. */
  readonly #files: RecordFiles | undefined;

  static of(source: RecordSource, options: DatasetReadOptions | undefined): TFRecordStage {
    const given = checkOptions<ReadOptions>(options, READ_OPTION_NAMES);
    if ('signal' in given) throw invalidArgType('options.signal', 'an option of iterate()', given.signal);
    resolveReadOptions(given);
    classifySource(source);
    return new TFRecordStage(source, given);
  }

  private constructor(source: RecordSource, options: ReadOptions) {
    super(undefined, { passes: true });
    this.#source = source;
    this.#options = options;
    this.#files = RecordFiles.canRead(source) ? new RecordFiles(source, options) : undefined;
  }

  override get hasFiles(): boolean {
    return hasFiles(this.#source);
  }

  override get contents(): Json {
    const { compression, verify, maxRecordBytes, onError } = this.#options;
    const policy = policyContents(onError);
    return [sourceContents(this.#source), compression ?? null, verify ?? null, maxRecordBytes ?? null, policy];
  }

  override listFiles(scope: Scope): Promise<readonly string[] | undefined> {
    return listFiles(this.#source, scope);
  }

  override get numbered(): Numbered | undefined {
    const files = this.#files;
    if (files === undefined) return undefined;
    return {
      open: (run, signal) => files.open(run, this.#policy(run), signal),
      sequence: (_run, count) => inOrder(count),
    };
  }

  open(run: Run, from: Mark): Operator {
    const { part } = run;
    if (part === undefined) return this.#open(run, from);
    return new Deferred(async () => {
      return this.#open(run, from, await divideAmong(pathsOf(this.#source), part, run));
    });
  }

  /** `part`: the records to read. Default: all. */
  #open(run: Run, from: Mark, part?: DividedFiles): Operator {
    const plan = resolveReadOptions(this.#options);
    const path = stagePath(run, this);
    const policy = this.#policy(run);
    const readAhead = this.#options.readAhead ?? (run.beside >= MANY_BESIDE ? 1 : plan.readAhead);
    const [at, skip] = from;
    const place = at === null ? null : filePlace(path, at);
    const isFirst = place === null || (place[0] === 0 && place[1] === 0);
    const shared = sharedSource(this.#source, run);
    const memory = run.slabs ?? run.shown?.pool;
    const batchBytes = plan.batchBytes ?? (run.shown === undefined ? undefined : REUSED_SLAB_BYTES);
    const inputs = recordSequence(
      part === undefined ? shared : filesOfPart(shared, part),
      { ...plan, policy, readAhead, batchBytes, ahead: run.scope.budget, memory, again: run.again, notes: true },
      // The first record of a part is number 0, but it may not be the first one of its file.
      isFirst && part?.begin !== undefined ? { input: 0, place: part.begin.place } : startBefore(place),
    );
    const own = part === undefined ? inputs : new PartSequence(inputs, part, policy);
    return skipping(new RecordsOperator(own, path, place, RAW, memory), skip, run.scope);
  }

  #policy(run: Run): ErrorPolicy {
    const { onError } = this.#options;
    const path = stagePath(run, this);
    return onError === undefined ? run.policy(path) : run.scope.policy(path, this, onError);
  }
}

/** Reads the records of files, and tracks their places. */
export class RecordsOperator implements Operator {
  readonly #inputs: RecordSequence | PartSequence;
  readonly #stage: string;
  readonly #form: RecordForm;
  /** The place to resume from; null after it was found. */
  #from: FilePosition | null;
  #elements: NeighbourRecords | undefined;
  #index = 0;
  #file = 0;
  #bytes: number | null = null;
  #files: string | undefined;
  readonly #slabs: MemoryPool | undefined;
  #closed = false;

  /** `form` makes elements of records; `slabs` receives the memory of records, see `Run.slabs` and `Run.shown`. */
  constructor(
    inputs: RecordSequence | PartSequence,
    stage: string,
    from: FilePosition | null,
    form: RecordForm,
    slabs?: MemoryPool,
  ) {
    this.#inputs = inputs;
    this.#stage = stage;
    this.#from = from;
    this.#form = form;
    this.#slabs = slabs;
  }

  async next(max: number): Promise<Chunk | undefined> {
    while (this.#elements === undefined || this.#index >= this.#elements.length) {
      const batch = await this.#nextBatch();
      if (batch === undefined) return undefined;
      this.#elements = NeighbourRecords.of(this.#form, batch, this.#slabs);
      this.#index = 0;
      this.#locate();
      if (this.#from !== null) this.#findPlace(this.#from, this.#elements);
    }
    const begin = this.#index;
    this.#index = Math.min(this.#elements.length, begin + max);
    const { record, offset } = this.#elements.origins.origin(begin)!;
    const plain = this.#inputs.compression === 'none';
    const place: FilePosition = [this.#file, record, plain ? offset : 0, this.#bytes, this.#files!];
    return { elements: this.#elements.slice(begin, this.#index), mark: [place, 0] };
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#inputs.close();
  }

  async #nextBatch(): Promise<RecordBatch | undefined> {
    const from = this.#from;
    if (from === null) return this.#inputs.next();
    let batch;
    try {
      batch = await this.#inputs.next();
    } catch (error) {
      // A file that became another one is no damaged file. The size of one that cannot be opened is not known.
      this.#locate();
      this.#bytes ??= from[3];
      this.#compare(from);
      throw error;
    }
    if (batch !== undefined || this.#closed) return batch;
    this.#locate();
    this.#compare(from);
    throw otherFiles(this.#stage, `record ${from[1]} of file ${from[0]}`, 'no such record');
  }

  #locate(): void {
    this.#file = this.#inputs.place.input;
    this.#bytes = this.#inputs.place.bytes ?? null;
    this.#files ??= hashOf(this.#inputs.files);
  }

  #compare([file, , , bytes, files]: FilePosition): void {
    if (files !== this.#files) throw otherFiles(this.#stage, 'the files that it was taken of', 'other files');
    if (file === this.#file && bytes !== this.#bytes) {
      throw otherFiles(this.#stage, `file ${file} of ${sizeText(bytes)}`, sizeText(this.#bytes));
    }
  }

  /** Skips the records before the place; those of a plain file are not read. */
  #findPlace(from: FilePosition, elements: NeighbourRecords): void {
    const [file, record] = from;
    this.#compare(from);
    if (this.#file > file) {
      this.#from = null;
      return;
    }
    while (this.#index < elements.length && elements.origins.origin(this.#index)!.record < record) this.#index++;
    if (this.#index < elements.length) this.#from = null;
  }
}
