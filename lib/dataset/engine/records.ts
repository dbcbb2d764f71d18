import { type Bytes, type Origin } from '../../base';
import { type MemoryPool } from '../../io';
import {
  frameOrigin,
  partsOf,
  type BatchFrames,
  type ListedSlab,
  type RecordBatch,
  type ShownMemory,
} from '../../record';
import type { Elements } from './elements';
import { gatheredOrigins, movedOrigins, type Origins } from './origins';

const GONE: Bytes = new Uint8Array(0);

/** Memory of framed records, and their frames in it. */
export class Slab implements ListedSlab {
  source: BatchFrames;
  listing = 0;
  place = 0;
  readonly #valid: (frame: number) => boolean;
  #pool: MemoryPool | undefined;
  /** Number of records that are still needed: `leave` was not called for them. */
  #left: number;
  #origins: Origins | undefined;

  /**
   * @param valid returns false for records that are repeated to fill a shard
   * @param pool receives the memory when all records have left; given only if nothing else uses the memory
   */
  constructor(source: BatchFrames, valid = (_frame: number): boolean => true, pool?: MemoryPool) {
    this.source = source;
    this.#valid = valid;
    this.#pool = pool;
    this.#left = source.frames.length / 2;
  }

  get unseen(): boolean {
    return this.#pool !== undefined;
  }

  /** Releases one record, which was copied and is not read again. */
  leave(): void {
    if (this.#pool === undefined || --this.#left > 0) return;
    this.#pool.end(this.source.slab);
    // A late read throws; it never shows other records.
    this.source = { ...this.source, slab: GONE };
  }

  /**
   * Moves the records to memory that shows them to the user until the next slab is shown, unless they are there, or stay valid.
   * @throws TFRecordError ENOMEM
   */
  show(memory: ShownMemory): void {
    if (this.#pool !== memory.pool) return;
    this.#pool = undefined;
    const { slab, frames, file } = this.source;
    this.source = { ...this.source, slab: memory.show(slab, frames.at(-2)! + frames.at(-1)!, file) };
  }

  /** The origins of its frames, which do not keep its memory alive. */
  get origins(): Origins {
    return (this.#origins ??= new FrameOrigins(this.source, this.#valid));
  }

  /** Returns a slab over the same memory with other valid records. */
  withValid(valid: (frame: number) => boolean): Slab {
    return new Slab(this.source, valid);
  }
}

/** Elements that a form makes of records. */
interface MadeElements {
  at(index: number): unknown;
}

/** The form of elements that are records: raw bytes, or parsed values. */
export interface RecordForm {
  /**
   * Returns the elements of `records`, one for each record, which are made at the first read. @throws the error of a
   * record
   */
  elements(records: RecordElements): MadeElements;
  /** Returns the batch of `records`, in memory of `memory` if given. @throws like {@link elements} */
  batch(records: RecordElements, memory?: MemoryPool): unknown;
  /** Like {@link batch}, on another thread; undefined if that would take longer. */
  batchLater?(records: RecordElements, memory?: MemoryPool): Promise<unknown> | undefined;
  /** True if making a batch of `records`, in memory of `memory` if given, copies them out of their slabs. */
  copies(records: RecordElements, memory?: MemoryPool): boolean;
}

/**
 * Elements that are records: frames in slabs. Stages that do not read the elements hand these on unchanged. The form
 * makes an element, or a batch, when it is read.
 */
export abstract class RecordElements implements Elements {
  readonly form: RecordForm;
  #shown: MadeElements | undefined;

  constructor(form: RecordForm) {
    this.form = form;
  }

  abstract readonly length: number;
  abstract readonly origins: Origins;
  /** The slab of record `index`. */
  abstract slab(index: number): Slab;
  /** Index of record `index` among the frames of that slab. */
  abstract frame(index: number): number;
  abstract slice(begin: number, end: number): RecordElements;

  /** Bytes of record `index`. */
  bytes(index: number): number {
    return this.slab(index).source.frames[2 * this.frame(index) + 1]!;
  }

  /** Returns the same records in another form. */
  abstract shownAs(form: RecordForm): RecordElements;

  at(index: number): unknown {
    this.#shown ??= this.form.elements(this);
    return this.#shown.at(index);
  }

  select(indices: readonly number[]): RecordElements {
    const selected = new GatheredRecords(
      this.form,
      indices.map((index) => this.slab(index)),
      indices.map((index) => this.frame(index)),
    );
    return this.handOn(selected, (index) => indices[index]!);
  }

  /** Releases all records, which were copied and are not read again. */
  leave(): void {
    for (let i = 0; i < this.length; i++) this.slab(i).leave();
  }

  /** Shares the elements that were already made with `to`, whose element i is element `of(i)` here. Returns `to`. */
  protected handOn<C extends RecordElements>(to: C, of: (index: number) => number): C {
    const shown = this.#shown;
    if (shown !== undefined) to.#shown = { at: (index) => shown.at(of(index)) };
    return to;
  }
}

/** Neighbouring records in one slab. */
export class NeighbourRecords extends RecordElements {
  readonly length: number;
  readonly #slab: Slab;
  readonly #begin: number;

  constructor(form: RecordForm, slab: Slab, begin: number, end: number) {
    super(form);
    this.length = end - begin;
    this.#slab = slab;
    this.#begin = begin;
  }

  /**
   * `pool` receives the memory of `batch` after use; given only if that memory has no other records, and is not visible
   * to the user.
   */
  static of(form: RecordForm, batch: RecordBatch, pool?: MemoryPool): NeighbourRecords {
    const { source, begin } = partsOf(batch);
    const whole = batch.length === source.frames.length / 2;
    return new NeighbourRecords(
      form,
      new Slab(source, undefined, whole ? pool : undefined),
      begin,
      begin + batch.length,
    );
  }

  get origins(): Origins {
    const begin = this.#begin;
    return movedOrigins(this.#slab.origins, (index) => begin + index);
  }

  slab(): Slab {
    return this.#slab;
  }

  frame(index: number): number {
    return this.#begin + index;
  }

  slice(begin: number, end: number): NeighbourRecords {
    if (begin === 0 && end === this.length) return this;
    const slice = new NeighbourRecords(this.form, this.#slab, this.#begin + begin, this.#begin + end);
    return this.handOn(slice, (index) => begin + index);
  }

  shownAs(form: RecordForm): NeighbourRecords {
    return new NeighbourRecords(form, this.#slab, this.#begin, this.#begin + this.length);
  }
}

/** Returns record `index` of `records` as padding, which is not valid. */
export function paddingOf(records: RecordElements, index: number): RecordElements {
  const frame = records.frame(index);
  return new NeighbourRecords(
    records.form,
    records.slab(index).withValid(() => false),
    frame,
    frame + 1,
  );
}

/** Records of many slabs, in any order. */
export class GatheredRecords extends RecordElements {
  readonly #slabs: readonly Slab[];
  readonly #frames: readonly number[];
  #origins: Origins | undefined;

  constructor(form: RecordForm, slabs: readonly Slab[], frames: readonly number[]) {
    super(form);
    this.#slabs = slabs;
    this.#frames = frames;
  }

  get length(): number {
    return this.#frames.length;
  }

  get origins(): Origins {
    return (this.#origins ??= gatheredOrigins(
      this.#slabs.map((slab) => slab.origins),
      this.#frames,
    ));
  }

  slab(index: number): Slab {
    return this.#slabs[index]!;
  }

  frame(index: number): number {
    return this.#frames[index]!;
  }

  slice(begin: number, end: number): GatheredRecords {
    if (begin === 0 && end === this.length) return this;
    const slice = new GatheredRecords(this.form, this.#slabs.slice(begin, end), this.#frames.slice(begin, end));
    return this.handOn(slice, (index) => begin + index);
  }

  shownAs(form: RecordForm): GatheredRecords {
    return new GatheredRecords(form, this.#slabs, this.#frames);
  }
}

class FrameOrigins implements Origins {
  readonly #frames: Omit<BatchFrames, 'slab'>;

  readonly #valid: (frame: number) => boolean;

  constructor({ slab: _, ...frames }: BatchFrames, valid: (frame: number) => boolean) {
    this.#frames = frames;
    this.#valid = valid;
  }

  origin(index: number): Origin {
    return frameOrigin(this.#frames, index);
  }

  all(index: number): readonly Origin[] {
    return [this.origin(index)];
  }

  valid(index: number): boolean {
    return this.#valid(index);
  }

  valids(index: number): readonly boolean[] {
    return [this.#valid(index)];
  }
}
