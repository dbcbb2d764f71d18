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
import { noteForm, type FormData } from '../disk-cache/stored-form';
import { ArrayElements, type Elements } from '../engine/elements';
import { ElementFault } from '../engine/errors';
import { policyContents } from '../engine/fingerprint';
import type { Input } from '../engine/input';
import { placeMark, skipping, type Chunk, type Json, type Mark, type Operator } from '../engine/operator';
import { joinedOrigins, movedOrigins, rowOrigins } from '../engine/origins';
import { parsedForm, RAW, rawBatch, recordsOf } from '../engine/record-forms';
import { NeighbourRecords, type RecordForm, type RecordElements } from '../engine/records';
import { stagePath, type Run } from '../engine/run';
import { Stage } from '../engine/stage';
import { UnmadeBatch } from '../engine/unmade-batch';

/** Options of `parse`. Unknown names throw. */
export interface DatasetParseOptions<I extends Int64As = Int64As, B extends BytesAs = BytesAs> {
  /**
   * Type of int64 values: `bigint`, or `number`; a value that a number cannot hold exactly is TFR_FEATURE. Default
   * `bigint`.
   */
  int64?: I | undefined;
  /**
   * Type of bytes values: `bytes`, or `text` for strings; a value that is not UTF-8 is then TFR_FEATURE. Default
   * `bytes`.
   */
  bytes?: B | undefined;
  /** Policy for records that do not fit the spec. Default: that of `onError()` of the dataset. */
  onError?: OnError | undefined;
}

/** Checked options of `parse`. */
interface ParseSettings {
  /** Describes `parsing`, so that caches can restore it. */
  readonly source: () => FormData;
  readonly parsing: RecordParsing;
  readonly onError: OnError | undefined;
}

/**
 * The stage of `parse`, which makes rows of records, and columns of batches. Elements stay records until they are read,
 * so that records which a later stage reorders or batches are parsed once, after that. If errors may be skipped,
 * records are parsed here, so that later stages do not count skipped ones.
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
    // Only checks the option.
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
    const input = this.readInput({ ...run, unmade: true }, whole ?? from);
    const operator = new ParseOperator(input, parsing, form, parse);
    return whole === undefined ? operator : skipping(operator, from[1], run.scope);
  }
}

/**
 * Returns the mark of a batch that ends before an invalid record; `whole` is the mark of the whole batch in the input.
 * Resuming after it parses the batch again, and meets the same error.
 */
function cutPlace(whole: Mark): Mark {
  return [{ cut: whole }, 0];
}

/** Returns the argument of {@link cutPlace}; undefined for a place of the input. */
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
  /** Thrown by the next call of `next`. */
  #failure: { readonly error: unknown } | undefined;
  /**
   * Maximum number of records to parse together: few after an invalid one, so that the same records are not parsed
   * again for each invalid one.
   */
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
      if (input.elements instanceof UnmadeBatch) {
        const whole = await this.#whole(input.elements, mark);
        if (whole !== undefined) return whole;
      }
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
      // Skips the current record, which is invalid.
      input.index++;
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }

  close(): Promise<void> {
    return this.#input.close();
  }

  /**
   * Returns the current batch as columns, parsed from the memory in which its records were read. Undefined if a record is
   * invalid: then the batch must be made.
   */
  async #whole(batch: UnmadeBatch, mark: Mark): Promise<Chunk | undefined> {
    const records = batch.records.shownAs(this.#form);
    let value;
    try {
      value = await (this.#form.batchLater?.(records, this.#memory) ?? this.#form.batch(records, this.#memory));
    } catch (error) {
      if (error instanceof ElementFault) return undefined;
      throw error;
    }
    this.#input.index++;
    this.#policy.passed(records.length);
    records.leave();
    return { elements: new ArrayElements([value], batch.origins), mark };
  }

  /**
   * Returns the current batch as columns, without the records that the policy skips, and only up to the first record at
   * which the policy throws or stops. Undefined if no record is valid.
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
    // A batch that is made again may reuse its memory.
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

  /**
   * Returns the number of valid records at the start of `elements`. If 0, the policy has decided to skip or to stop.
   */
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

/** True if `error` concerns a batch as a whole, not one of its records. */
function isTheBatch({ code }: TFRecordError): boolean {
  return code === 'TFR_RECORD_TOO_LARGE' || code === 'ENOMEM';
}

/** Number of records that are parsed together after an invalid one. */
const FEW = 8;

/** The valid records of a batch that has invalid ones. */
interface GoodRows {
  /** The valid records, in order; may be empty. */
  readonly records: RecordElements;
  /** The numbers of the valid records in the batch. */
  readonly rows: readonly number[];
  /**
   * The policy's decision at the record that follows: 'stop' ends the reading, `error` is thrown. Undefined if all
   * other records were skipped.
   */
  readonly end: 'stop' | { readonly error: unknown } | undefined;
}

/**
 * Returns the records of element `index` of `elements`, which is a batch; each has its own origin. `path` names the
 * stage in errors.
 */
function recordsIn(elements: Elements, index: number, path: string): RecordElements {
  const batch = elements.at(index);
  if (batch instanceof RecordBatch) return NeighbourRecords.of(RAW, batch);
  const records = batch as readonly unknown[];
  const listed = new ArrayElements(records, rowOrigins(elements.origins, index, records.length));
  return recordsOf(listed, RAW, path);
}

/**
 * Returns the valid ones of `records`. The first `known` are known to be valid, and the next one is invalid. `policy`
 * decides about each invalid one. The work is linear: after an invalid record, a few records are parsed together, and
 * twice as many each time all were valid.
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
