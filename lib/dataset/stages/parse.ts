import { checkOptions, type TFRecordError } from '../../base';
import {
  BatchMemory,
  exampleParsing,
  parsedAs,
  sequenceParsing,
  type ContextSpec,
  type ParsedAs,
  type RecordParsing,
  type SequenceFeatures,
  type SequenceSpec,
  type Spec,
} from '../../example';
import { type MemoryPool } from '../../io';
import { ErrorPolicy, RecordBatch, type OnError } from '../../record';
import type { BytesAs, Int64As } from '../../tensor';
import { noteForm, type FormData } from '../disk-cache/kept-form';
import { ArrayElements, type Elements } from '../engine/elements';
import { policyContents } from '../engine/fingerprint';
import type { Input } from '../engine/input';
import { placeMark, skipping, type Chunk, type Json, type Mark, type Operator } from '../engine/operator';
import { joinedOrigins, movedOrigins, rowOrigins } from '../engine/origins';
import { parsedForm, RAW, rawBatch, recordsOf } from '../engine/record-forms';
import { NeighbourRecords, type RecordForm, type RecordElements } from '../engine/records';
import { stagePath, type Run } from '../engine/run';
import { Stage } from '../engine/stage';

/** Options of `parse`. Unknown names throw. */
export interface DatasetParseOptions<I extends Int64As = Int64As, B extends BytesAs = BytesAs> {
  /** int64 as `bigint`, or as `number`, which is exact or TFR_FEATURE. Default `bigint`. */
  int64?: I | undefined;
  /** bytes as `bytes`, or as `text`: strings; a value that is not UTF-8 is TFR_FEATURE. Default `bytes`. */
  bytes?: B | undefined;
  /** Decides about records that do not fit the spec. Default: `onError()` of the dataset decides. */
  onError?: OnError | undefined;
}

/** Checked options of `parse`. */
interface ParseSettings {
  /** Describes how `parsing` was made, so that caches can make it again. */
  readonly source: () => FormData;
  readonly parsing: RecordParsing;
  readonly onError: OnError | undefined;
}

/**
 * `parse`: records become rows, and in batches columns. They stay records until they are read: records that a later
 * stage reorders or batches are parsed then, and once. If errors may be skipped, records are parsed here, so that no
 * later stage counts skipped ones.
 */
export class ParseStage extends Stage {
  readonly kind: 'parse' | 'parseSequence';
  readonly #settings: ParseSettings;

  static of(input: Stage, spec: Spec, options: DatasetParseOptions | undefined): ParseStage {
    return ParseStage.#of(input, 'parse', spec, options, (as) => exampleParsing(spec, as));
  }

  static ofSequence(
    input: Stage,
    spec: SequenceFeatures<ContextSpec, SequenceSpec>,
    options: DatasetParseOptions | undefined,
  ): ParseStage {
    return ParseStage.#of(input, 'parseSequence', spec, options, (as) => sequenceParsing(spec, as));
  }

  static #of(
    input: Stage,
    kind: 'parse' | 'parseSequence',
    spec: unknown,
    options: DatasetParseOptions | undefined,
    parsingOf: (as: ParsedAs) => RecordParsing,
  ): ParseStage {
    const given = checkOptions(options, ['int64', 'bytes', 'onError']);
    const { onError } = given;
    // Checked now, used later.
    if (onError !== undefined) new ErrorPolicy(onError);
    const as = parsedAs(given);
    const parsing = parsingOf(as);
    const source = (): FormData => ({
      kind,
      int64: as.int64,
      ...(as.bytes === 'text' && { bytes: as.bytes }),
      spec: JSON.parse(JSON.stringify(spec)),
      key: parsing.key,
    });
    return new ParseStage(input, kind, { parsing, source, onError });
  }

  private constructor(input: Stage, kind: 'parse' | 'parseSequence', settings: ParseSettings) {
    super(input, { passes: true, oneByOne: true, perFile: true });
    this.kind = kind;
    this.#settings = settings;
  }

  override get contents(): Json {
    return [this.#settings.parsing.key, policyContents(this.#settings.onError)];
  }

  open(run: Run, from: Mark): Operator {
    const { onError, parsing, source } = this.#settings;
    const path = stagePath(run, this);
    const policy = onError === undefined ? run.policy(path) : run.scope.policy(path, this, onError);
    const form = run.scope.form(parsing.key, () => noteForm(parsedForm(parsing, run.scope.memory), source));
    const parse = { policy, path, memory: run.memory };
    const whole = cutBatch(from, path);
    if (whole === undefined) return new ParseOperator(this.readInput(run, from), parsing, form, parse);
    return skipping(new ParseOperator(this.readInput(run, whole), parsing, form, parse), from[1], run.scope);
  }
}

/**
 * The mark of a batch that is cut before a bad record; `whole` is the mark of the whole batch in the input. Resuming
 * after the cut batch makes it again, and meets the same error.
 */
function cutPlace(whole: Mark): Mark {
  return [{ cut: whole }, 0];
}

/** The mark that {@link cutPlace} was given; undefined for a place of the input. */
function cutBatch([at]: Mark, path: string): Mark | undefined {
  const cut = typeof at === 'object' && at !== null && Object.hasOwn(at, 'cut');
  return cut ? placeMark(path, (at as { readonly cut: Json }).cut) : undefined;
}

interface ParseRun {
  readonly policy: ErrorPolicy;
  readonly path: string;
  readonly memory: MemoryPool | undefined;
}

class ParseOperator implements Operator {
  readonly #input: Input;
  readonly #parsing: RecordParsing;
  readonly #form: RecordForm;
  readonly #policy: ErrorPolicy;
  readonly #stage: string;
  readonly #memory: MemoryPool | undefined;
  #ended = false;
  /** The error that follows the elements already given. */
  #failure: { readonly error: unknown } | undefined;
  /** Records to parse together: few after a bad one, so that the same records are not parsed again for each bad one. */
  #most = Infinity;

  constructor(input: Input, parsing: RecordParsing, form: RecordForm, { policy, path, memory }: ParseRun) {
    this.#input = input;
    this.#parsing = parsing;
    this.#form = form;
    this.#policy = policy;
    this.#stage = path;
    this.#memory = memory;
  }

  async next(max: number): Promise<Chunk | undefined> {
    const input = this.#input;
    while (!this.#ended && this.#failure === undefined && (await input.load(max))) {
      const { mark } = input;
      const first = input.elements.at(input.index);
      if (isBatch(first)) {
        const chunk = this.#batch(first);
        if (chunk !== undefined) return chunk;
        continue;
      }
      const end = Math.min(input.elements.length, input.index + Math.min(max, this.#most));
      const elements = recordsOf(input.elements.slice(input.index, end), this.#form, this.#stage);
      const good = this.#policy.alwaysThrows ? elements.length : this.#good(elements);
      this.#most = good === elements.length ? 2 * this.#most : FEW;
      input.index += good;
      this.#policy.passed(good);
      if (good > 0) return { elements: elements.slice(0, good), mark };
      // The one in hand is at fault: it was skipped.
      input.index++;
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }

  close(): Promise<void> {
    return this.#input.close();
  }

  /**
   * The current batch as columns, without the records that the policy skips, and only up to the first record at which
   * the policy throws or stops. Undefined if no record is good.
   */
  #batch(first: RecordBatch | readonly Uint8Array[]): Chunk | undefined {
    const { mark, elements, index } = this.#input;
    this.#input.index++;
    const { rows, value, error } = this.#parsing.batch(first, this.#memory);
    if (error === undefined) {
      this.#policy.passed(rows);
      return { elements: new ArrayElements([value], elements.slice(index, index + 1).origins), mark };
    }
    if (isTheBatch(error)) throw error;
    const good = goodRows(recordsIn(elements, index, this.#stage), rows, this.#parsing, this.#policy);
    if (good.end === 'stop') this.#ended = true;
    else this.#failure = good.end;
    const { length } = good.rows;
    // A batch that is composed anew may use its memory.
    if (length !== rows && this.#memory !== undefined) BatchMemory.endOf(value, this.#memory);
    if (length === 0) return undefined;
    const joined = length === rows ? value : this.#goodBatch(good.records);
    const origins = movedOrigins(rowOrigins(elements.origins, index, first.length), (row) => good.rows[row]!);
    return {
      elements: new ArrayElements([joined], joinedOrigins(origins, length)),
      mark: good.end === undefined ? mark : cutPlace(mark),
    };
  }

  #goodBatch(records: RecordElements): object {
    const { value, error } = this.#parsing.batch(rawBatch(records), this.#memory);
    if (error !== undefined) throw error;
    return value;
  }

  /** Number of good records at the start of `elements`. If 0, the policy has decided to skip, or to stop. */
  #good(elements: Elements): number {
    for (let i = 0; i < elements.length; i++) {
      try {
        elements.at(i);
      } catch (error) {
        if (i === 0 && this.#policy.resolve(error as never) === 'stop') this.#ended = true;
        return i;
      }
    }
    return elements.length;
  }
}

/** True if `error` is about all records of a batch together. */
function isTheBatch({ code }: TFRecordError): boolean {
  return code === 'TFR_RECORD_TOO_LARGE' || code === 'ENOMEM';
}

/** Records that are parsed together after a bad one. */
const FEW = 8;

/** The good records of a batch that has bad ones. */
interface GoodRows {
  /** The good records, in order; there may be none. */
  readonly records: RecordElements;
  /** The numbers of the good records in the batch. */
  readonly rows: readonly number[];
  /**
   * The policy's decision at the record that follows: 'stop' ends the reading, `error` is thrown. Undefined if all
   * other records were skipped.
   */
  readonly end: 'stop' | { readonly error: unknown } | undefined;
}

/**
 * The records of element `index` of `elements`, which is a batch; each has its own place. `path` names the stage in
 * errors.
 */
function recordsIn(elements: Elements, index: number, path: string): RecordElements {
  const batch = elements.at(index);
  if (batch instanceof RecordBatch) return NeighbourRecords.of(RAW, batch);
  const records = batch as readonly unknown[];
  const listed = new ArrayElements(records, rowOrigins(elements.origins, index, records.length));
  return recordsOf(listed, RAW, path);
}

/**
 * The good ones of `records`. The first `known` are known to be good, and the next one is bad. Asks `policy` about each
 * bad one. The work is linear: after a bad record a few records are parsed together, and twice as many each time that
 * all were good.
 */
function goodRows(records: RecordElements, known: number, parsing: RecordParsing, policy: ErrorPolicy): GoodRows {
  const good = Array.from({ length: known }, (_, row) => row);
  let end: GoodRows['end'];
  let most = FEW;
  policy.passed(known);
  for (let row = known; row < records.length && end === undefined;) {
    const { rows, error } = parsing.rows(rawBatch(records.slice(row, Math.min(records.length, row + most))));
    for (let i = 0; i < rows; i++) good.push(row + i);
    policy.passed(rows);
    most = error === undefined ? 2 * most : FEW;
    row += error === undefined ? rows : rows + 1;
    if (error !== undefined) end = endOf(policy, error);
  }
  return { records: records.select(good), rows: good, end };
}

function endOf(policy: ErrorPolicy, error: TFRecordError): GoodRows['end'] {
  try {
    return policy.resolve(error) === 'stop' ? 'stop' : undefined;
  } catch (thrown) {
    return { error: thrown };
  }
}

/** True if `value` is a batch of records: a RecordBatch, or an array. */
function isBatch(value: unknown): value is RecordBatch | readonly Uint8Array[] {
  return value instanceof RecordBatch || Array.isArray(value);
}
