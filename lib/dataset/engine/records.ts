import { type Bytes, type Origin } from '../../base';
import { type MemoryPool } from '../../io';
import { frameOrigin, partsOf, type BatchFrames, type ListedSlab, type RecordBatch } from '../../record';
import type { Elements } from './elements';
import { gatheredOrigins, movedOrigins, type Origins } from './origins';

const GONE: Bytes = new Uint8Array(0);

/** Memory of records, and their frames in it. */
export class Slab implements ListedSlab {
  source: BatchFrames;
  listing = 0;
  place = 0;
  readonly #valid: (frame: number) => boolean;
  readonly #pool: MemoryPool | undefined;
  /** Records that have not left. */
  #left: number;
  #origins: Origins | undefined;

  /**
   * @param valid false for records that are repeated to fill a shard
   * @param pool takes the memory when all records have left; given if nothing else holds the memory
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

  /** One of its records was copied, and will not be read again. */
  leave(): void {
    if (this.#pool === undefined || --this.#left > 0) return;
    this.#pool.end(this.source.slab);
    // A late read throws; it never shows other records.
    this.source = { ...this.source, slab: GONE };
  }

  /** The origins of its frames; without its memory. */
  get origins(): Origins {
    return (this.#origins ??= new FrameOrigins(this.source, this.#valid));
  }

  /** Returns a slab over the same memory with other valid records. */
  withValid(valid: (frame: number) => boolean): Slab {
    return new Slab(this.source, valid);
  }
}

/** Elements that were made of records. */
interface Shown {
  at(index: number): unknown;
}

/** The form in which records are shown: raw bytes, or parsed values. */
export interface RecordForm {
  /** The elements of `records`, one a record, made when the first is read. @throws the error of a record */
  elements(records: RecordElements): Shown;
  /** The batch of `records`, which `memory` may hold. @throws as {@link elements} */
  batch(records: RecordElements, memory?: MemoryPool): unknown;
  /** As {@link batch}, beside JavaScript; undefined where that would take longer. */
  batchLater?(records: RecordElements, memory?: MemoryPool): Promise<unknown> | undefined;
  /** True if a batch of `records` is copied out of their slabs. */
  copies(records: RecordElements): boolean;
}

/**
 * Elements that are records: frames in slabs. Stages that do not look at them pass them on as they are. The form makes
 * an element, or a batch, when one is read.
 */
export abstract class RecordElements implements Elements {
  readonly form: RecordForm;
  #shown: Shown | undefined;

  constructor(form: RecordForm) {
    this.form = form;
  }

  abstract readonly length: number;
  abstract readonly origins: Origins;
  /** The slab of record `index`. */
  abstract slab(index: number): Slab;
  /** The record's number among the frames of that slab. */
  abstract frame(index: number): number;
  abstract slice(begin: number, end: number): RecordElements;

  /** Bytes of record `index`. */
  bytes(index: number): number {
    return this.slab(index).source.frames[2 * this.frame(index) + 1]!;
  }

  /** The same records in another form. */
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

  /** They were copied, and will not be read again. */
  leave(): void {
    for (let i = 0; i < this.length; i++) this.slab(i).leave();
  }

  /** `to`, of whose elements number i is number `of(i)` here: those that were made need not be made again. */
  protected handOn<C extends RecordElements>(to: C, of: (index: number) => number): C {
    const shown = this.#shown;
    if (shown !== undefined) to.#shown = { at: (index) => shown.at(of(index)) };
    return to;
  }
}

/** Neighbours in one slab. */
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

  /** `pool`: takes the memory of `batch`; given if that has no other records, and is unseen. */
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
