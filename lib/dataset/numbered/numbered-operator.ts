import { counted } from '../../base';
import type { Numbered, NumberedRecords, Sequence } from '../engine/numbered';
import {
  misplaced,
  otherFiles,
  placeCount,
  placeList,
  placeText,
  type Chunk,
  type Mark,
  type Operator,
} from '../engine/operator';
import { paddingOf, type RecordElements } from '../engine/records';
import type { Run } from '../engine/run';
import { RecordFault } from './record-files';

/** Most records that are read at once, and about as many bytes, unless a group has more. */
const MAX_RECORDS = 2048;
const FIRST_RECORDS = 128;
const MAX_BYTES = 4 * 2 ** 20;
/** The same for neighbours in a file: each start in a compressed file costs the content since the checkpoint before. */
const MAX_IN_ORDER = 65_536;
const MAX_IN_ORDER_BYTES = 16 * 2 ** 20;
/** Most bytes of a group of positions that is read at once. */
const MAX_GROUP_BYTES = 64 * 2 ** 20;

/** The place of a stage that reads by numbers: a position, and what tells the records from others. */
type NumberedPosition = readonly [position: number, records: string];

/** Records at neighbouring positions. */
interface Piece {
  readonly begin: number;
  readonly end: number;
  /** Settles with the records: all, or those before a damaged one. */
  readonly read: Promise<{ readonly elements: RecordElements | undefined; readonly fault: RecordFault | undefined }>;
}

/** Reads records in the order of a sequence, some ahead. Its places are positions, so it begins anywhere at no cost. */
export class NumberedOperator implements Operator {
  readonly #numbered: Numbered;
  readonly #run: Run;
  readonly #path: string;
  readonly #closing = new AbortController();
  #from: NumberedPosition | undefined;
  #opening: Promise<void> | undefined;
  #records: NumberedRecords | undefined;
  #sequence: Sequence | undefined;
  /** Position of the next element. */
  #next: number;
  /** Position from which on nothing is read yet. */
  #ahead: number;
  #elements: RecordElements | undefined;
  /** Index of the next element in `#elements`. */
  #index = 0;
  readonly #pieces: Piece[] = [];
  /** Most records of the next piece: the first ones are there soon. */
  #most = FIRST_RECORDS;

  /** @throws TFRecordError TFR_STATE_MISMATCH for a place that is none */
  constructor(numbered: Numbered, run: Run, path: string, [at, skip]: Mark) {
    this.#numbered = numbered;
    this.#run = run;
    this.#path = path;
    let begin = 0;
    if (at !== null) {
      const [position, sum] = placeList(path, at, 2);
      begin = placeCount(path, 'a position', position);
      this.#from = [begin, placeText(path, 'a hash of files', sum)];
    }
    this.#next = this.#ahead = begin + skip;
  }

  async next(max: number): Promise<Chunk | undefined> {
    await (this.#opening ??= this.#open());
    while (this.#elements === undefined || this.#index >= this.#elements.length) {
      if (!(await this.#load())) return undefined;
    }
    const begin = this.#index;
    this.#index = Math.min(this.#elements.length, begin + max);
    const elements = this.#elements.slice(begin, this.#index);
    const place: NumberedPosition = [this.#next, this.#records!.sum];
    this.#next += elements.length;
    this.#records!.policy.passed(elements.length);
    return { elements, mark: [place, 0] };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([this.#opening, ...this.#pieces.map(({ read }) => read)]);
  }

  async #open(): Promise<void> {
    const run = this.#run;
    const records = await this.#numbered.open(run, this.#closing.signal);
    if (this.#closed) return;
    const from = this.#from;
    if (from !== undefined && from[1] !== records.sum) {
      throw otherFiles(this.#path, 'the files that it was taken of', 'other files, or files of other sizes');
    }
    const sequence = this.#numbered.sequence(run, records.count);
    if (from !== undefined && this.#next > sequence.length) {
      throw misplaced(this.#path, `at most ${counted(sequence.length, 'record')}`, this.#next);
    }
    this.#records = records;
    this.#sequence = sequence;
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Loads the next piece. False at the end. */
  async #load(): Promise<boolean> {
    this.#readAhead(2);
    const piece = this.#pieces.shift();
    if (piece === undefined || this.#closed) return false;
    const { elements, fault } = await piece.read;
    if (this.#closed) return false;
    this.#elements = elements;
    this.#index = 0;
    this.#next = piece.begin;
    if (fault === undefined) return true;
    const after = piece.begin + fault.index;
    if (elements !== undefined) {
      // The policy is asked about the damaged record once all before were handed out.
      this.#pieces.unshift(this.#faulty(after, piece.end, fault));
      return true;
    }
    if (this.#records!.policy.resolve(fault.error) === 'stop') {
      await Promise.allSettled(this.#pieces.splice(0).map(({ read }) => read));
      this.#ahead = Infinity;
      return false;
    }
    if (after + 1 < piece.end) this.#pieces.unshift(this.#piece(after + 1, piece.end));
    return true;
  }

  #faulty(begin: number, end: number, { error }: RecordFault): Piece {
    return { begin, end, read: Promise.resolve({ elements: undefined, fault: new RecordFault(0, error) }) };
  }

  /** Begins to read, until `count` pieces are under way. */
  #readAhead(count: number): void {
    const { budget } = this.#run.scope;
    const { length } = this.#sequence ?? { length: 0 };
    while (this.#pieces.length < count && this.#ahead < length) {
      const end = this.#endOf(this.#ahead);
      const bytes = (end - this.#ahead) * this.#records!.meanBytes;
      if (this.#pieces.length > 0 && budget.room < bytes) return;
      this.#pieces.push(this.#piece(this.#ahead, end));
      this.#ahead = end;
    }
  }

  /** Returns the end of the piece that begins at `begin`. Padding, which comes last, is a piece of its own. */
  #endOf(begin: number): number {
    const sequence = this.#sequence!;
    const { meanBytes } = this.#records!;
    const group = sequence.groupEnd?.(begin);
    if (group !== undefined && (group - begin) * meanBytes <= MAX_GROUP_BYTES) return group;
    const [records, bytes] = sequence.inOrder === true ? [MAX_IN_ORDER, MAX_IN_ORDER_BYTES] : [MAX_RECORDS, MAX_BYTES];
    const most = Math.min(this.#most, Math.max(1, Math.floor(bytes / Math.max(1, meanBytes))));
    this.#most = Math.min(records, 4 * this.#most);
    const end = Math.min(group ?? sequence.length, begin + most);
    return end - begin > 1 && !isValid(sequence, end - 1) ? end - 1 : end;
  }

  #piece(begin: number, end: number): Piece {
    const { budget } = this.#run.scope;
    const bytes = (end - begin) * this.#records!.meanBytes;
    budget.hold(bytes);
    const read = this.#read(begin, end).finally(() => budget.release(bytes));
    // The error is thrown when it is the piece's turn.
    read.catch(() => undefined);
    return { begin, end, read };
  }

  async #read(begin: number, end: number): Piece['read'] {
    const sequence = this.#sequence!;
    // Memory outside of V8's heap, which would grow by what lives for several chunks.
    const numbers = new Float64Array(end - begin);
    for (let i = 0; i < numbers.length; i++) numbers[i] = sequence.at(begin + i);
    try {
      const elements = await this.#records!.read(numbers);
      return { elements: isValid(sequence, begin) ? elements : paddingOf(elements, 0), fault: undefined };
    } catch (fault) {
      if (!(fault instanceof RecordFault)) throw fault;
      if (fault.index === 0) return { elements: undefined, fault };
      const { elements } = await this.#read(begin, begin + fault.index);
      return { elements, fault };
    }
  }
}

/** False if the record at `position` is padding. */
function isValid({ valid }: Sequence, position: number): boolean {
  return valid?.(position) ?? true;
}
