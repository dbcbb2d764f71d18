import { mkdir, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { seedText, seedWords, systemSeed, type Words } from '../dataset';
import { invalidArgValue } from '../errors';
import type { Table } from '../example';
import { crc32c, fromNodeError, isUrl, type RecordBatch, type RecordSource, type WriteTarget } from '../record';
import { copyBytes } from './copy-bytes';
import { JobFaults } from './faults';
import type { OutputFormat, PreparedInput, ReadSettings, WriteSettings } from './format';
import { compressionOf, formatOf, INPUT_FORMATS, OUTPUT_FORMATS, type InputFormatName } from './formats';
import { copyOf } from './framed-input';
import { findPictures, partOfPictures, type Pictures } from './images/find-pictures';
import { findInputs, inputsOf, type InputFile, type Inputs } from './inputs';
import { runJob, type PlannedOutput } from './job';
import {
  checkSameJob,
  filesIn,
  manifestInputs,
  type Manifest,
  type ManifestOptions,
  type ManifestPart,
} from './manifest';
import { ManifestKeeper } from './manifest-keeper';
import { shardName, sideName, temporaryName } from './names';
import { checkConvertOptions, type ConvertOptions, type ConvertPlan, type ConvertProgress } from './options';
import { OutputStream, removeTemporary } from './output-file';
import { partOfList, shardsOf, type Part } from './parts';
import { countRanges, evenRanges, ONE_RANGE, rangeFinder, type Ranges } from './ranges';
import { rowSpecOf } from './row-spec';
import { expectedBytes, Shuffled } from './shuffle';
import { Split } from './split';
import { findColumns } from './table/job-table';
import { checkAbsent, checkApart, findTarget, lookAround, removeOld, type FileTarget, type Found } from './target';
import { Transform } from './transform';

/** The result of {@link convert}. */
export interface ConvertReport {
  /** Paths of all outputs, in order; none for a stream. */
  readonly files: readonly string[];
  /** Records in them. */
  readonly records: number;
  /** Damaged records, and rests of files, that `onError` skipped. */
  readonly skipped: number;
  /** Size of the inputs, as stored. */
  readonly bytesIn: number;
  /** Size of the outputs, as stored. */
  readonly bytesOut: number;
  /** How long it took. */
  readonly seconds: number;
  /** Number of outputs that an earlier run had finished, with `resume`. */
  readonly kept: number;
  /** True if there was nothing to do: the job was complete, and its inputs are unchanged. */
  readonly upToDate: boolean;
}

/**
 * Converts files. TFRecord → TFRecord recompresses, reshards, merges, splits, shuffles and projects; records that only
 * move are copied, neither parsed nor encoded.
 *
 * Outputs get their names when they are complete; an error or an abort leaves no others. A job of several outputs writes
 * a manifest, `OUT.manifest.json` (docs/conversion.md), with which `resume` goes on after a kill.
 *
 * @param input - A path, pattern, shard set or list of these, or a stream, as readers take; or a folder of pictures.
 * @param output - The path of the output, from which the names of shards are made; or a stream.
 * @throws TypeError or RangeError with Node's codes for wrong arguments; TFRecordError: EEXIST if the output exists,
 *   TFR_STATE_MISMATCH if `resume` finds another job, the codes of damage and of the file system; `signal.reason`.
 *
 * @example
 * const { records } = await convert('train-*.gz', 'out/train.tfrecord.gz', { shards: 16 });
 */
export async function convert(
  input: RecordSource,
  output: WriteTarget,
  options?: ConvertOptions,
): Promise<ConvertReport> {
  const begun = performance.now();
  const plan = checkConvertOptions(options);
  const faults = new JobFaults(plan.onError);
  const target = await findTarget(output, plan);
  plan.signal?.throwIfAborted();
  const found = await findInputs(input);
  const from = formatFrom(found, plan);
  const all = from === 'images' ? await findPictures(found, plan) : found;
  const inputs = plan.part === undefined ? all : partOf(all, plan.part);
  const conversion = new Conversion(plan, faults, from, inputs, all.files, output, begun);
  return 'stream' in target ? conversion.toStream(target.stream) : conversion.toFiles(target);
}

/** The format of the input. One folder is one of pictures. */
function formatFrom({ files }: Inputs, { from: given, labels, classes }: ConvertPlan): InputFormatName {
  const isFolder = files.length > 0 && files.every((file) => file.isFolder === true);
  if (isFolder && files.length > 1 && given === undefined) {
    throw invalidArgValue('input', 'one folder of pictures: that above these', files[0]!.file);
  }
  const from = formatOf(
    'from',
    given ?? (isFolder ? 'images' : undefined),
    files.map(({ file }) => file),
  );
  if (from !== 'images' && (labels ?? classes) !== undefined) {
    const name = labels === undefined ? 'classes' : 'labels';
    throw invalidArgValue(`options.${name}`, 'absent, because the input is no folder of pictures', labels ?? classes);
  }
  return from;
}

function partOf(all: Inputs, part: Part): Inputs {
  return all.pictures === undefined ? inputsOf(partOfList(all.files, part)) : partOfPictures(all, part);
}

/** A job that is ready to be run. */
interface Work {
  readonly input: PreparedInput;
  readonly transform: Transform | undefined;
  /** The columns to write, if the output has any. */
  readonly table: Table | undefined;
}

/** One call of `convert`. */
class Conversion {
  readonly #plan: ConvertPlan;
  readonly #faults: JobFaults;
  readonly #inputs: Inputs;
  /** What is read: the inputs, or a copy of them. */
  #source: Inputs;
  /** The inputs of all parts. */
  readonly #all: readonly InputFile[];
  readonly #begun: number;
  readonly #from: InputFormatName;
  readonly #to;
  readonly #reading: ReadSettings;
  readonly #writing: Omit<WriteSettings, 'table'>;
  readonly #split: Split | undefined;
  #bytesRead = 0;

  constructor(
    plan: ConvertPlan,
    faults: JobFaults,
    from: InputFormatName,
    inputs: Inputs,
    all: readonly InputFile[],
    target: WriteTarget,
    begun: number,
  ) {
    this.#plan = plan;
    this.#faults = faults;
    this.#inputs = inputs;
    this.#source = inputs;
    this.#all = all;
    this.#begun = begun;
    const name = typeof target === 'string' ? target : isUrl(target) ? target.pathname : '';
    this.#from = from;
    this.#to = formatOf('to', plan.to, [name]);
    const compression = compressionOf(plan.compression, name, this.#to);
    if (plan.level !== undefined && compression === 'none') {
      throw invalidArgValue('options.level', 'absent, because nothing is compressed', plan.level);
    }
    const spec = rowSpecOf(plan.spec);
    const [input, output] = [INPUT_FORMATS[this.#from], OUTPUT_FORMATS[this.#to]];
    if (spec !== undefined && !input.takesSpec && !output.takesSpec && plan.where === undefined) {
      throw invalidArgValue('options.spec', 'absent, because records are copied; features keeps some', plan.spec);
    }
    if (input.filesOnly === true && inputs.paths.length < inputs.files.length) {
      throw invalidArgValue('input', `files, to read ${this.#from}`, inputs.files.at(-1)?.file);
    }
    if (output.takesTable === true && spec === undefined && plan.part !== undefined) {
      const why = `given, because all parts must have the same columns: \`tfrecord schema --as spec\` prints one`;
      throw invalidArgValue('options.spec', why, undefined);
    }
    if (plan.maxBytes !== undefined && !(this.#from === 'tfrecord' && output.keepsSize)) {
      throw invalidArgValue('options.maxBytes', 'absent: it is there for TFRecord to TFRecord only', plan.maxBytes);
    }
    const { signal } = plan;
    const { maxRecordBytes, round: rounds } = plan;
    this.#reading = { policy: faults.policy, maxRecordBytes, signal, faults, spec, rounds };
    this.#writing = { compression, level: plan.level, spec, signal, faults };
    this.#split = plan.split === undefined ? undefined : new Split(plan.split, plan.splitBy);
  }

  async toStream(stream: WriteTarget): Promise<ConvertReport> {
    const { shuffle, seed } = this.#plan;
    if (shuffle) throw invalidArgValue('options.shuffle', 'absent for an output that is no file', seed ?? shuffle);
    const results: { records: number; skipped: number; bytes: number }[] = [];
    const format = OUTPUT_FORMATS[this.#to];
    if (format.filesOnly === true) throw invalidArgValue('output', `a file, to write ${this.#to}`, stream);
    const outputs = [[{ path: undefined, side: undefined, finished: undefined }]];
    const finished = (output: (typeof results)[number]): Promise<void> => {
      results.push(output);
      return Promise.resolve();
    };
    const open = (settings: WriteSettings): Promise<OutputStream> => OutputStream.create(stream, format, settings);
    await this.#withSource(join(tmpdir(), 'tfrecord'), async () => {
      const work = await this.#prepare();
      try {
        await this.#run(work, ONE_RANGE, outputs, false, finished, open);
      } finally {
        work.transform?.close();
      }
    });
    const [{ records, skipped, bytes }] = results as [(typeof results)[number]];
    return this.#report([], { records, skipped, bytesOut: bytes }, 0);
  }

  async toFiles(target: FileTarget): Promise<ConvertReport> {
    const { resume, force } = this.#plan;
    const found = await lookAround(target, this.#plan);
    await checkApart(target, found, this.#inputs);
    if (resume && !this.#inputs.repeatable) {
      throw invalidArgValue('options.resume', 'absent, because an input is no file', resume);
    }
    const seed = this.#seed(found);
    const job = { options: this.#options(seed), inputs: manifestInputs(this.#inputs.files), part: this.#part() };
    const old = found.manifest;
    if (resume && old !== undefined) checkSameJob(target.manifest!, old, job);
    else if (!force) checkAbsent(target, found);
    if (resume && old?.complete === true) {
      const whole = await this.#finished(target, old);
      if (whole.size === old.outputs.length) {
        const files = old.outputs.map(({ file }) => join(dirname(target.output), file));
        return { ...this.#report(files, old, whole.size), bytesIn: old.bytesIn, upToDate: true };
      }
    }
    const folder = dirname(target.output);
    const created = await mkdir(folder, { recursive: true }).catch((error: unknown) => {
      throw fromNodeError(error, folder, 'mkdir');
    });
    if (force) await removeOld(target, found);
    const keeper = new ManifestKeeper(target.manifest, job, this.#bytesIn(), this.#begun);
    const kept = resume && old !== undefined ? await this.#finished(target, old) : new Map<string, never>();
    try {
      return await this.#withSource(target.output, () => this.#convertFiles(target, seed, keeper, kept));
    } catch (error) {
      await keeper.giveUp();
      if (created !== undefined) await rmdir(folder).catch(() => undefined);
      throw error;
    }
  }

  async #convertFiles(
    target: FileTarget,
    seed: Words | undefined,
    keeper: ManifestKeeper,
    kept: ReadonlyMap<string, Manifest['outputs'][number]>,
  ): Promise<ConvertReport> {
    const work = await this.#prepare();
    let shuffled: Shuffled | undefined;
    try {
      shuffled = seed === undefined ? undefined : await this.#shuffle(work, target, seed);
      const ranges = await this.#ranges(shuffled);
      const outputs = this.#outputs(target, ranges, kept);
      await keeper.begin(outputs.map((sides) => sides.map(({ finished }) => finished)));
      const ready = { ...work, input: shuffled ?? work.input };
      await this.#run(ready, ranges, outputs, target.manifest !== undefined, (output, range, side) =>
        keeper.note(output, range, side),
      );
      const totals = await keeper.complete();
      return this.#report(
        outputs.flat().map(({ path }) => path!),
        totals,
        kept.size,
      );
    } finally {
      work.transform?.close();
      await shuffled?.remove();
    }
  }

  /**
   * Does `work` with inputs that can be read as often as is needed: those that cannot are copied, to a temporary file
   * beside `path`.
   */
  async #withSource<T>(path: string, work: () => Promise<T>): Promise<T> {
    const { shuffle, maxBytes, where } = this.#plan;
    const format = INPUT_FORMATS[this.#from];
    const hasColumns = OUTPUT_FORMATS[this.#to].takesTable === true || where !== undefined;
    const surveys = hasColumns && this.#reading.spec === undefined;
    const counts = surveys || (!shuffle && (maxBytes !== undefined || this.#shards() > 1));
    if (this.#inputs.repeatable || !(counts || format.readsTwice(this.#reading))) return work();
    if (format.hasHeaders === true && this.#inputs.files.length > 1) {
      throw invalidArgValue(
        'input',
        `files, or one stream alone: ${this.#from} of each begins with a header`,
        undefined,
      );
    }
    const copy = temporaryName(path);
    try {
      this.#source =
        format.copiesBytes === true
          ? await copyBytes(this.#inputs, this.#reading, copy)
          : await copyOf(this.#inputs, this.#reading, format.framing, copy);
      return await work();
    } finally {
      await removeTemporary(copy);
    }
  }

  /** Prepares the input, and finds its columns, for which all of it may be looked at first. */
  async #prepare(): Promise<Work> {
    const format = INPUT_FORMATS[this.#from];
    const { where, features } = this.#plan;
    const progress = this.#progress('count');
    const input = await format.prepared(this.#source, this.#reading, progress);
    const takesTable = OUTPUT_FORMATS[this.#to].takesTable === true;
    const request = { format, prepared: input, inputs: this.#source, settings: this.#reading, features, progress };
    const columns = takesTable || where !== undefined ? await findColumns(request) : undefined;
    // Outputs of columns leave out the other features themselves.
    const table = takesTable ? columns!.output() : undefined;
    const transform = await Transform.open(where, columns, takesTable ? undefined : features);
    return { input, transform, table };
  }

  async #shuffle({ input, transform }: Work, { output }: FileTarget, seed: Words): Promise<Shuffled> {
    const reader = input.open(0);
    const progress = this.#progress('shuffle');
    const next = async (): Promise<RecordBatch | undefined> => {
      for (;;) {
        const portion = this.#faults.stopped ? undefined : await reader.next();
        progress(reader.bytes);
        if (portion === undefined) return undefined;
        const batch = transform === undefined ? portion.batch : await transform.apply(portion.batch, this.#faults);
        if (batch.length > 0) return batch;
      }
    };
    try {
      return await Shuffled.of({ next }, seed, expectedBytes(this.#inputs.files), output, this.#plan.signal);
    } finally {
      await reader.close();
    }
  }

  async #ranges(shuffled: Shuffled | undefined): Promise<Ranges> {
    const { maxBytes } = this.#plan;
    const shards = this.#shards();
    if (this.#inputs.files.length === 0) return { ranges: [], bases: [] };
    if (shuffled !== undefined) return { ranges: evenRanges(shuffled.records, shards), bases: [] };
    if (maxBytes === undefined && shards === 1) return ONE_RANGE;
    const format = INPUT_FORMATS[this.#from];
    const counted = await countRanges(
      this.#source,
      format,
      this.#reading,
      { shards, maxBytes },
      this.#progress('count'),
    );
    this.#faults.rangeOf = rangeFinder(this.#inputs.files, counted);
    return counted;
  }

  /** Number of outputs, for each side. */
  #shards(): number {
    const { shards = 1, part } = this.#plan;
    return part === undefined ? shards : shardsOf(shards, part);
  }

  #outputs(
    { output, sides }: FileTarget,
    { ranges }: Ranges,
    kept: ReadonlyMap<string, Manifest['outputs'][number]>,
  ): PlannedOutput[][] {
    const { shards, maxBytes, part } = this.#plan;
    const numbered = shards !== undefined || maxBytes !== undefined || part !== undefined;
    return ranges.map((_, range) =>
      sides.map((side): PlannedOutput => {
        const path = numbered
          ? shardName(output, side, range, ranges.length)
          : side === undefined
            ? output
            : sideName(output, side);
        return { path, side, finished: kept.get(basename(path)) };
      }),
    );
  }

  async #run(
    { input, transform, table }: Work,
    ranges: Ranges,
    outputs: readonly (readonly PlannedOutput[])[],
    summed: boolean,
    finished: Parameters<typeof runJob>[0]['finished'],
    openStream?: (settings: WriteSettings) => Promise<OutputStream>,
  ): Promise<void> {
    // Records that are shuffled were changed before.
    const transforms = transform !== undefined && !(input instanceof Shuffled);
    const progress = this.#progress('write');
    const format: OutputFormat = OUTPUT_FORMATS[this.#to];
    await runJob({
      input,
      ranges,
      outputs,
      split: this.#split,
      transform: transforms ? (batch) => transform.apply(batch, this.#faults) : undefined,
      format,
      settings: { ...this.#writing, table },
      faults: this.#faults,
      openStream,
      summed,
      progress: (bytes, records) => {
        this.#bytesRead = bytes;
        progress(bytes, records);
      },
      beforeLast: () => transform?.checkSeen(),
      finished,
    });
  }

  #progress(phase: ConvertProgress['phase']): (bytes: number, records?: number) => void {
    const { onProgress } = this.#plan;
    if (onProgress === undefined) return () => undefined;
    const totalBytes = sum(this.#inputs.files.map(({ bytes }) => bytes ?? NaN));
    return (bytes, records = 0) => {
      onProgress({ phase, bytes, totalBytes: Number.isNaN(totalBytes) ? undefined : totalBytes, records });
    };
  }

  /** The seed of the order; undefined if records keep theirs. */
  #seed({ manifest }: Found): Words | undefined {
    const { shuffle, seed, resume } = this.#plan;
    if (!shuffle) return undefined;
    const before = manifest?.options['seed'];
    if (seed === undefined && resume && typeof before === 'string' && /^\d{1,20}$/.test(before)) {
      return seedWords('seed', BigInt(before));
    }
    return seed ?? systemSeed();
  }

  /** The options by which outputs differ. */
  #options(seed: Words | undefined): ManifestOptions {
    const { level, shards, maxBytes, split, splitBy, features, where, round } = this.#plan;
    return {
      from: this.#from,
      to: this.#to,
      compression: this.#writing.compression,
      level: level ?? null,
      shards: shards ?? null,
      maxBytes: maxBytes ?? null,
      split: split ?? null,
      splitBy: splitBy ?? null,
      features: features ?? null,
      ...(where === undefined ? {} : { where }),
      ...(round ? { round } : {}),
      spec: this.#reading.spec?.json ?? null,
      seed: seed === undefined ? null : seedText(seed),
      ...(this.#inputs.pictures === undefined ? {} : pictureOptions(this.#inputs.pictures)),
    };
  }

  #part(): ManifestPart | undefined {
    const { part } = this.#plan;
    if (part === undefined) return undefined;
    const inputs = manifestInputs(this.#all);
    const list = crc32c(Buffer.from(JSON.stringify(inputs)));
    return { ...part, files: filesIn(inputs), list: list.toString(16).padStart(8, '0') };
  }

  /** The outputs of `manifest` that are there, by their names. */
  async #finished({ output }: FileTarget, { outputs }: Manifest): Promise<Map<string, Manifest['outputs'][number]>> {
    const kept = new Map<string, Manifest['outputs'][number]>();
    for (const finished of outputs) {
      const there = await stat(join(dirname(output), finished.file)).catch(() => undefined);
      if (there?.isFile() === true && there.size === finished.bytes) kept.set(finished.file, finished);
    }
    return kept;
  }

  #bytesIn(): number {
    return sum(this.#inputs.files.map(({ bytes }) => bytes ?? 0));
  }

  #report(
    files: readonly string[],
    { records, skipped, bytesOut }: { records: number; skipped: number; bytesOut: number },
    kept: number,
  ): ConvertReport {
    const bytesIn = this.#inputs.repeatable ? this.#bytesIn() : this.#bytesRead;
    const seconds = (performance.now() - this.#begun) / 1000;
    return { files, records, skipped, bytesIn, bytesOut, seconds, kept, upToDate: false };
  }
}

/** The options that only pictures have. Another file of labels makes other records. */
function pictureOptions({ labels, classNames }: Pictures): ManifestOptions {
  return { labels: labels === undefined ? null : manifestInputs([labels])[0]!, classes: classNames ?? null };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
