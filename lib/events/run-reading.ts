/** Reads the records of one run, in the order of the log, into blocks of values. */
import { placedError, TFRecordError } from '../base';
import { Event, foreignError, type EventMessage, type SummaryValueMessage } from '../example';
import { partsOf, type ErrorPolicy, type RecordBatch } from '../record';
import { contentOf, kindOf } from './event-content';
import { AUDIO, EventScan, HISTOGRAM, IMAGE, NUMBER_TENSOR, SCALAR, TENSOR } from './event-scan';
import type { EventKind } from './event-values';
import { Restarts } from './restarts';
import { TagTable, type Tag } from './tag-table';
import { ValueBlock } from './value-block';

/** Bytes of values of a run to hold until its end. Tests change it. */
export const held = { bytes: 8 * 1024 * 1024 };
/** Number of blocks to keep for further values. */
const SPARE_BLOCKS = 8;
const START = 1;
const NO_BYTES = new Uint8Array(0);
/** First bytes of Examples and SequenceExamples, which no Event has: fields 1 and 2 as messages. */
const FOREIGN_STARTS: readonly (number | undefined)[] = [0x0a, 0x12];

/** The values to read. */
export interface ValueChoice {
  readonly kinds: ReadonlySet<EventKind>;
  /** True for the tags to read. */
  readonly tag: (name: string) => boolean;
}

/**
 * `hold`: keeps all values until `end`, when all restarts are known. `note`: only notes restarts. `give`: leaves out what
 * the restarts that were noted made obsolete. `stream`: leaves out nothing.
 */
type Mode = 'hold' | 'note' | 'give' | 'stream';

export class RunReading {
  readonly run: string;
  readonly #choice: ValueChoice;
  readonly #limit: number;
  readonly #scan = new EventScan();
  readonly #table: TagTable;
  readonly #restarts = new Restarts();
  readonly #ids: number[] = [];
  #mode: Mode;
  #blocks: ValueBlock[] = [];
  #block: ValueBlock | undefined;
  readonly #spare: ValueBlock[] = [];
  #heldBytes = 0;
  #events = 0;
  /** Number of records about whose errors the policy was asked. */
  #judged = 0;

  /** `limit`: bytes of values to hold; above it, `overflowed` becomes true, and values are dropped. */
  constructor(run: string, choice: ValueChoice, mode: 'hold' | 'stream', limit = held.bytes) {
    this.run = run;
    this.#choice = choice;
    this.#mode = mode;
    this.#limit = limit;
    this.#table = new TagTable(choice.tag);
  }

  /** Number of records that were taken. */
  get events(): number {
    return this.#events;
  }

  /** True if the values did not fit: call {@link again}, and read the run a second time. */
  get overflowed(): boolean {
    return this.#mode === 'note';
  }

  /**
   * All restarts are known: the records follow a second time, and the values that they leave are given at once. Errors of
   * records that were dropped are judged then.
   */
  again(): void {
    this.#mode = 'give';
    this.#events = 0;
    this.#restarts.rewind();
    for (const tag of this.#table.tags) tag.forget();
  }

  /** All values that follow are given at once: nothing is left out any more. */
  stream(): void {
    this.#mode = 'stream';
  }

  /** No records follow soon: lets go of memory that only they would need. */
  rest(): void {
    this.#spare.length = 0;
    this.#scan.load(NO_BYTES, this.#table);
  }

  /**
   * Takes the records of `batch` from `first` to before `last`. Returns the index of the first that was not taken: after a
   * record that takes long, the event loop may have to turn. Returns -1 if `policy` ends reading. @throws the error of a
   * record, if `policy` decides so
   */
  take(batch: RecordBatch, first: number, last: number, policy: ErrorPolicy): number {
    const { source, begin } = partsOf(batch);
    const { slab, frames } = source;
    const scan = this.#scan;
    scan.load(slab, this.#table);
    for (let i = first; i < last; i++) {
      const frame = 2 * (begin + i);
      const start = frames[frame]!;
      const event = this.#events++;
      const end = start + frames[frame + 1]!;
      // Files of version 2 and later state their restarts.
      if (this.#mode === 'note' && !this.#restarts.bySteps && scan.skim(start, end)) {
        if (scan.hasSummary) this.#noteSummary(event, scan.stepLow, scan.stepHigh, [], 0);
        continue;
      }
      try {
        if (scan.scan(start, end) && this.#isKnown(scan)) {
          if (this.#takeScanned(event, scan, batch, i)) continue;
        } else this.#takeMessage(event, batch, i);
      } catch (error) {
        if (!(error instanceof TFRecordError)) throw error;
        if (this.#mode === 'note' || event < this.#judged) continue;
        if (policy.resolve(placedError(error, batch.origin(i)!)) === 'stop') return -1;
      }
      return i + 1;
    }
    return last;
  }

  /** Gives the blocks that are ready. Each is valid until the next step. */
  *ready(): Generator<ValueBlock> {
    if (this.#notes) return;
    this.#finishBlock();
    yield* this.#given();
  }

  /** No more records follow. Gives the values that were held and are not obsolete, as {@link ready} does. */
  *end(): Generator<ValueBlock> {
    this.#finishBlock();
    const restarts = this.#restarts;
    restarts.rewind();
    yield* this.#given((block) => block.remove((event, tag, low, high) => restarts.drops(event, tag, low, high)));
    this.#heldBytes = 0;
  }

  *#given(prepare?: (block: ValueBlock) => void): Generator<ValueBlock> {
    const blocks = this.#blocks.reverse();
    this.#blocks = [];
    for (let block = blocks.pop(); block !== undefined; block = blocks.pop()) {
      prepare?.(block);
      if (block.rows > 0) yield block;
      if (this.#spare.length < SPARE_BLOCKS) this.#spare.push(block);
    }
  }

  /** True if each value with metadata has a tag that is described. */
  #isKnown(scan: EventScan): boolean {
    for (let i = 0; i < scan.count; i++) {
      if (scan.described[i] === true && scan.tags[i]!.metadata === undefined) return false;
    }
    return true;
  }

  /** Returns false if a message had to be made. */
  #takeScanned(event: number, scan: EventScan, batch: RecordBatch, index: number): boolean {
    const { kinds } = this.#choice;
    const { count, stepLow, stepHigh, wallTime } = scan;
    if (scan.hasSummary) this.#noteSummary(event, stepLow, stepHigh, scan.tags, count);
    let message: EventMessage | undefined;
    for (let i = 0; i < count; i++) {
      const tag = scan.tags[i]!;
      if (!tag.wanted) continue;
      const form = scan.forms[i]!;
      if (form === SCALAR || (form === NUMBER_TENSOR && tag.kind === 'scalar')) {
        if (kinds.has('scalar')) this.#add(event, tag, stepLow, stepHigh, wallTime, scan.scalars[i]!);
        continue;
      }
      const kind = kindOfForm(form, tag);
      if (kind === undefined || !this.#wants(kind, form === TENSOR || form === NUMBER_TENSOR)) continue;
      message ??= Event.decode(batch.at(index)!);
      this.#addContent(event, tag, stepLow, stepHigh, wallTime, message.summary!.value[i]!, kind);
    }
    return message === undefined;
  }

  /** Takes a record that `scan` does not read. @throws TFRecordError if it is not an Event */
  #takeMessage(event: number, batch: RecordBatch, index: number): void {
    const record = batch.at(index)!;
    if (FOREIGN_STARTS.includes(record[0])) throw foreignError('an Event', batch.origin(index)!, record);
    const message = Event.decode(record);
    const { wallTime, fileVersion, sessionLog, graphDef, taggedRunMetadata, summary } = message;
    const low = Number(BigInt.asUintN(32, message.step));
    const high = Number(BigInt.asIntN(32, message.step >> 32n));
    if (this.#notes && fileVersion !== undefined) this.#restarts.version(fileVersion);
    if (this.#notes && sessionLog?.status === START) this.#restarts.sessionStart(event, { low, high });
    const names = taggedRunMetadata === undefined ? summary?.value.map(({ tag }) => tag) : [taggedRunMetadata.tag];
    const tags = (names ?? (graphDef === undefined ? undefined : []))?.map((name) => this.#table.named(name));
    if (tags === undefined) return;
    this.#noteSummary(event, low, high, tags, tags.length);
    for (const [i, value] of (summary?.value ?? []).entries()) {
      if (value.metadata !== undefined) tags[i]!.describe(value.metadata);
      const kind = kindOf(value, tags[i]!.metadata);
      // Such a tensor has the name of its node.
      const tag = value.tag === '' && value.tensor !== undefined ? this.#table.named(value.nodeName) : tags[i]!;
      if (kind === undefined || !tag.wanted || !this.#wants(kind, value.tensor !== undefined)) continue;
      this.#addContent(event, tag, low, high, wallTime, value, kind);
    }
  }

  /** True if `kind` is wanted. Each tensor may turn out to be one of no other kind. */
  #wants(kind: EventKind, isTensor: boolean): boolean {
    const { kinds } = this.#choice;
    return this.#mode !== 'note' && (kinds.has(kind) || (isTensor && kinds.has('tensor')));
  }

  get #notes(): boolean {
    return this.#mode === 'hold' || this.#mode === 'note';
  }

  #noteSummary(event: number, low: number, high: number, tags: readonly Tag[], count: number): void {
    if (!this.#notes) return;
    const ids = this.#ids;
    for (let i = 0; i < count; i++) ids[i] = tags[i]!.id;
    this.#restarts.summary(event, low, high, ids, count);
  }

  #addContent(
    event: number,
    tag: Tag,
    low: number,
    high: number,
    wallTime: number,
    value: SummaryValueMessage,
    kind: EventKind,
  ): void {
    const { content, bytes } = contentOf(value, kind);
    if (!this.#choice.kinds.has(content.kind)) return;
    if (content.kind === 'scalar') this.#add(event, tag, low, high, wallTime, content.value);
    else this.#add(event, tag, low, high, wallTime, 0, content, bytes);
  }

  #add(
    event: number,
    tag: Tag,
    low: number,
    high: number,
    wallTime: number,
    scalar: number,
    content?: Parameters<ValueBlock['add']>[6],
    bytes = 0,
  ): void {
    if (this.#mode === 'note') return;
    if (this.#mode === 'give' && this.#restarts.drops(event, tag.id, low, high)) return;
    const block = (this.#block ??= this.#newBlock());
    this.#heldBytes += bytes;
    if (!block.add(event, tag, low, high, wallTime, scalar, content)) this.#finishBlock();
    if (this.#mode !== 'hold' || this.#heldBytes <= this.#limit) return;
    this.#mode = 'note';
    this.#judged = event + 1;
    this.#block = undefined;
    this.#spare.push(...this.#blocks.slice(0, SPARE_BLOCKS));
    this.#blocks = [];
  }

  #newBlock(): ValueBlock {
    const block = this.#spare.pop();
    if (block === undefined) return new ValueBlock(this.run, this.#table.tags);
    block.clear();
    return block;
  }

  #finishBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block === undefined || block.rows === 0) return;
    this.#blocks.push(block);
    this.#heldBytes += block.columnBytes;
  }
}

function kindOfForm(form: number, tag: Tag): EventKind | undefined {
  switch (form) {
    case TENSOR:
    case NUMBER_TENSOR:
      return tag.kind;
    case HISTOGRAM:
      return 'histogram';
    case IMAGE:
      return 'image';
    case AUDIO:
      return 'audio';
    default:
      return undefined;
  }
}
