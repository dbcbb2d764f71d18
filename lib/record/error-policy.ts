import { types } from 'node:util';

import {
  advice,
  checkCallback,
  checkInteger,
  checkOptions,
  counted,
  invalidArgType,
  invalidArgValue,
  isObject,
  isOneOf,
  named,
  outOfRange,
  tfrecordError,
  worded,
  type Mention,
  type TFRecordError,
  type TFRecordErrorDetails,
} from '../base';

/**
 * A decision about one error: `throw` ends reading with it, `skip` continues after the damage, `stop` ends as if the data
 * ended there.
 */
export type ErrorAction = 'throw' | 'skip' | 'stop';

/** Skips damage, or salvages what is left, within limits. */
export interface SkipPolicy {
  /** The action, which has limits. */
  action: 'skip' | 'salvage';
  /** Most errors to skip. The next one ends reading with an error whose `cause` it is. Default: no limit. */
  max?: number | undefined;
  /**
   * Largest share of errors among all records, from 0 to 1, checked from the 1,000th record on. Default: 0.01 for `skip`, 1
   * for `salvage`. The error that exceeds it ends reading, as the `cause` of an error that says so. Without `maxRate`, both also
   * refuse to take foreign data for no data: if a file is given up at its first byte because of its kind or compression, and
   * no record is read at all, that error is thrown at the end. Damage after the first byte is skipped, even if nothing is
   * left.
   */
  maxRate?: number | undefined;
  /** Called with each skipped error. An error that it throws ends reading. */
  report?: ((error: TFRecordError) => void) | undefined;
}

/**
 * How to handle damaged data and files that cannot be read. Default: `'throw'`.
 *
 * `'skip'` (the same as `{ action: 'skip' }`) loses exactly the record whose data is damaged, or that is longer than
 * `maxRecordBytes`. If the damage hides the next record, it gives up the rest of that file and continues with the next
 * file; in a GZIP file that this library wrote, it continues with the next member of about 1 MiB. The error's `lostBytes`
 * says how many bytes are lost. After damaged data in a compressed file, it delivers only records that the checksum at the
 * end of the compressed stream proves to be right and in their place (docs/format.md). A function decides for each error; its
 * skips are not limited.
 *
 * `'salvage'` (the same as `{ action: 'salvage' }`) delivers every record that can still be found: after damage it searches for
 * the next place where the checksums of a record's length and of its data are both right. Each error has a `region`: the
 * lost bytes, and the facts about the records around them (docs/errors.md). It verifies all checksums, whatever `verify` says.
 * In damaged GZIP data, it continues with the next member, or at the next checkpoint of the index that is saved beside the
 * file (`FILE.tfindex`). A function cannot return it, because functions are called after the search, so that the error says
 * what is lost. To end reading after that, throw in `report`. Where there is nothing to search for, as in text files, it does
 * what `'skip'` does.
 */
export type OnError = ErrorAction | 'salvage' | ((error: TFRecordError) => ErrorAction) | SkipPolicy;

const DECISIONS: readonly ErrorAction[] = ['throw', 'skip', 'stop'];
const ACTIONS = [...DECISIONS, 'salvage'] as const;
const DEFAULT_MAX_RATE = 0.01;
const RATE_FROM = 1000;

/** A checked `onError`. It counts records and skips, so each reader has its own policy. */
export class ErrorPolicy {
  /** True if every error is thrown. */
  readonly alwaysThrows: boolean;
  /** True if reading ends at the first error. */
  readonly endsAtFirst: boolean;
  /** True if reading goes on at the next record that can be found after damage. */
  readonly salvages: boolean;
  /** True if a function decides. Its decision is unknown until it is called. */
  readonly #isFunction: boolean;
  readonly #decide: (error: TFRecordError) => ErrorAction;
  readonly #max: number;
  readonly #report: ((error: TFRecordError) => void) | undefined;
  readonly #maxRate: number;
  readonly #refusesTotalLoss: boolean;
  #records = 0;
  #skipped = 0;
  #stopped = false;
  #lostBytes = 0;
  #totalLoss: TFRecordError | undefined;

  /** @throws TypeError, RangeError with Node's codes. */
  constructor(onError: OnError = 'throw') {
    const limited = typeof onError === 'object' && isObject(onError) && !Array.isArray(onError);
    const limits = limited ? checkSkipPolicy(onError) : undefined;
    this.#max = limits?.max ?? Infinity;
    this.#report = limits?.report;
    let salvages = false;
    if (typeof onError === 'function') {
      this.#decide = (error) => checkResult(onError(error));
      this.#maxRate = 1;
    } else {
      const action = limits?.action ?? checkAction(onError, 'options.onError', ACTIONS);
      salvages = action === 'salvage';
      this.#decide = () => (action === 'salvage' ? 'skip' : action);
      this.#maxRate = limits?.maxRate ?? (salvages ? 1 : DEFAULT_MAX_RATE);
    }
    this.salvages = salvages;
    this.alwaysThrows = onError === 'throw';
    this.#isFunction = typeof onError === 'function';
    this.endsAtFirst = onError === 'throw' || onError === 'stop';
    this.#refusesTotalLoss = typeof onError !== 'function' && limits?.maxRate === undefined;
  }

  /** Number of errors that were skipped: each a record or the rest of a file. */
  get skipped(): number {
    return this.#skipped;
  }

  /** True if reading ended at damage, as the policy decided. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /**
   * True if the lost bytes of an input must be counted before {@link resolve}. `bytes` is the input's size, if known. A
   * function may end reading, so its call must not wait for the end of a stream.
   */
  countsLost(bytes: number | undefined): boolean {
    return !this.endsAtFirst && (!this.#isFunction || bytes !== undefined);
  }

  /** Number of bytes in the rests of files that were skipped. */
  get lostBytes(): number {
    return this.#lostBytes;
  }

  /** Counts `records` that were handed out. */
  passed(records: number): void {
    this.#records += records;
  }

  /** Decides whether to skip or to stop. @throws `error`, or an error with it as `cause` if a limit is exceeded. */
  resolve(error: TFRecordError): 'skip' | 'stop' {
    const action = this.#decide(error);
    if (action === 'throw') throw error;
    if (action === 'stop') {
      this.#stopped = true;
      return 'stop';
    }
    const skips = this.#skipped + 1;
    const elements = this.#records + skips;
    if (skips > this.#max) {
      throw limitError(error, skips, elements, `max ${this.#max}`, named('onError', 'A larger max'));
    }
    if (elements >= RATE_FROM && skips > this.#maxRate * elements) {
      throw limitError(error, skips, elements, `maxRate ${this.#maxRate}`, named('onError', 'maxRate: 1'));
    }
    this.#skipped = skips;
    this.#lostBytes += error.lostBytes ?? 0;
    this.#report?.(error);
    if (isForeign(error)) this.#totalLoss ??= error;
    return 'skip';
  }

  /** Call it at the end of the data. @throws the first error if `skip` would make foreign data look like no data. */
  ended(): void {
    if (this.#refusesTotalLoss && this.#records === 0 && this.#totalLoss !== undefined) throw this.#totalLoss;
  }
}

/** True if a file is given up at its first byte, because it is of another kind or compression. */
export function isForeign({ code, record, compressedOffset }: TFRecordError): boolean {
  return record === 0 && (code === 'TFR_NOT_TFRECORD' || (code === 'TFR_COMPRESSION' && compressedOffset === 0));
}

/** Wraps `cause` in an error about the limit that it exceeds. `cause` alone would advise what the user already does. */
function limitError(
  cause: TFRecordError,
  skips: number,
  elements: number,
  limit: string,
  lift: Mention,
): TFRecordError {
  // Own properties only: Object.prototype may have more.
  const {
    reason: _reason,
    hint: _hint,
    ...details
  } = Object.assign(Object.create(null) as TFRecordErrorDetails, cause);
  const { file, record } = details;
  const last = [record === undefined ? [] : `record ${record}`, file ?? []].flat().join(' of ');
  return tfrecordError(
    cause.code,
    worded`${skips} of ${counted(elements, 'record')} would be skipped, more than onError's ${limit}; the last is ${last}.${advice` ${lift}, or a function for onError, lifts the limit.`}`,
    { ...details, cause },
  );
}

function checkResult(result: unknown): ErrorAction {
  const name = 'the result of options.onError';
  if (typeof result === 'string') return checkAction(result, name, DECISIONS);
  const promise = types.isPromise(result) ? ', not a promise' : '';
  // A second error, that nobody could catch, would end the process.
  if (types.isPromise(result)) result.catch(() => undefined);
  throw invalidArgType(name, `"throw", "skip" or "stop"${promise}`, result);
}

function checkAction<A extends string>(value: unknown, name: string, actions: readonly A[]): A {
  const list = actions.map((action) => JSON.stringify(action)).join(', ');
  if (typeof value === 'string') {
    if (isOneOf(actions, value)) return value;
    throw invalidArgValue(name, `one of ${list}`, value);
  }
  throw invalidArgType(name, `an action (${list}), a function or a skip policy`, value);
}

function checkSkipPolicy(onError: SkipPolicy): SkipPolicy {
  const policy = checkOptions(onError, ['action', 'max', 'maxRate', 'report'], 'onError');
  const { action, max, maxRate, report } = policy;
  if (action !== 'skip' && action !== 'salvage') {
    throw invalidArgValue('options.onError.action', '"skip" or "salvage"', action);
  }
  checkInteger('options.onError.max', max, 0, Number.MAX_SAFE_INTEGER, undefined);
  if (maxRate !== undefined) {
    if (typeof maxRate !== 'number') throw invalidArgType('options.onError.maxRate', 'a number', maxRate);
    if (!(maxRate >= 0 && maxRate <= 1)) throw outOfRange('options.onError.maxRate', 'from 0 to 1', maxRate);
  }
  checkCallback('options.onError.report', report);
  return { action, max, maxRate, report };
}
