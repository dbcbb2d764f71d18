import { constants } from 'node:buffer';

import { TFRecordError } from '../../../errors';
import {
  FillOutcome,
  HEADER_BYTES,
  newSlab,
  type Bytes,
  type ChunkPull,
  type Compression,
  type InputStream,
  type RecordPlace,
} from '../../../record';
import type { ByteSource, CutPlan, CutRead } from './cut-plan';
import { openContent } from './open-content';
import type { RecordCutter } from './record-cutter';

/** Longest record: what one string can hold, and a bit of what a Buffer can. */
const MAX_RECORD_BYTES = Math.min(constants.MAX_STRING_LENGTH, constants.MAX_LENGTH);
const NO_BYTES = new Uint8Array(0);

/** The records of one file, a chunk of it at a time. */
export class ByteStream implements InputStream<CutRead> {
  readonly file: string;
  readonly inputBytes: number | undefined;
  readonly #source: ByteSource;
  readonly #plan: CutPlan;
  readonly #start: RecordPlace | undefined;
  readonly #cutter: RecordCutter;
  #pull: ChunkPull | undefined;
  #kind: Compression = 'none';
  #ahead: Promise<CutRead | undefined> | undefined;
  #closed: Promise<void> | undefined;
  /** Memory with bytes that are not used up, from `begin` to `end`; `base` is the place of its first in the stream. */
  #slab: Bytes = NO_BYTES;
  #begin = 0;
  #end = 0;
  #base: number;
  #nextRecord: number;
  #compressedBytes = 0;
  #head: Bytes | undefined;

  constructor(source: ByteSource, plan: CutPlan, start: RecordPlace | undefined) {
    this.file = source.file;
    this.inputBytes = source.bytes;
    this.#source = source;
    this.#plan = plan;
    this.#start = start;
    this.#base = start?.offset ?? 0;
    this.#nextRecord = start?.record ?? 0;
    this.#cutter = plan.cutter(start !== undefined);
  }

  prime(): void {
    if (!this.#source.ahead || this.#ahead !== undefined) return;
    this.#ahead = this.#read();
    this.#ahead.catch(() => undefined);
  }

  async next(): Promise<CutRead | undefined> {
    const reading = this.#ahead ?? this.#read();
    this.#ahead = undefined;
    const read = await reading;
    if (this.#closed !== undefined) return undefined;
    if (read?.result.outcome === FillOutcome.More) this.prime();
    return read;
  }

  passOver(): void {
    // Nothing is refused for its size and goes on.
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#pull?.close() ?? Promise.resolve());
  }

  async #read(): Promise<CutRead | undefined> {
    const frames: number[] = [];
    let fault: TFRecordError | undefined;
    let last = false;
    while (frames.length === 0 && !last && this.#closed === undefined) {
      try {
        if (this.#pull === undefined) await this.#open();
        const chunk = await this.#pull?.next();
        if (chunk === undefined) last = true;
        else this.#append(chunk);
      } catch (error) {
        // A source's own error is told as it is; all before it was given.
        if (!(error instanceof TFRecordError)) throw error;
        fault = error;
        last = true;
      }
      this.#cut(last && fault === undefined, frames);
      if (last && fault === undefined) fault = this.#restError(frames.length / 2);
    }
    return this.#closed === undefined ? this.#result(frames, last, fault) : undefined;
  }

  #cut(last: boolean, frames: number[]): void {
    if (this.#base === 0 && this.#begin === 0) this.#passMark(last);
    this.#begin = this.#cutter.cut(this.#slab, this.#begin, this.#end, last, frames);
  }

  /** Of text: a byte order mark is none of it. */
  #passMark(last: boolean): void {
    if (!this.#plan.text || (this.#end < 3 && !last)) return;
    const [a, b, c] = this.#slab;
    if (this.#end >= 3 && a === 0xef && b === 0xbb && c === 0xbf) this.#begin = 3;
  }

  #restError(found: number): TFRecordError | undefined {
    return this.#cutter.restError?.({
      file: this.file,
      record: this.#nextRecord + found,
      offset: this.#base + this.#begin,
      bytes: this.#end - this.#begin,
    });
  }

  #result(frames: number[], last: boolean, fault: TFRecordError | undefined): CutRead {
    const firstRecord = this.#nextRecord;
    this.#nextRecord += frames.length / 2;
    const begin = Math.min(frames.length / 2, Math.max(0, this.#plan.headRecords - firstRecord));
    if (begin > 0 && this.#plan.wantsHead) {
      const at = frames[2 * begin - 2]!;
      this.#head = this.#slab.slice(at, at + frames[2 * begin - 1]!);
    }
    return {
      source: {
        file: this.file,
        slab: this.#slab,
        frames: new Uint32Array(frames),
        firstRecord,
        // There is no header before a record: `offset` is its own.
        base: this.#base + HEADER_BYTES,
        head: this.#head,
      },
      begin,
      fault,
      result: {
        outcome: last ? FillOutcome.End : FillOutcome.More,
        compressedBytes: this.#compressedBytes,
        compression: this.#kind,
      },
    };
  }

  /** Puts `chunk` behind what is not used up: in memory of its own, for records of what was are views. */
  #append(chunk: Uint8Array): void {
    const held = this.#end - this.#begin;
    const wanted = held + chunk.length;
    if (wanted > MAX_RECORD_BYTES) throw this.#tooLong(wanted);
    if (this.#begin > 0 || wanted > this.#slab.length) {
      // While one record grows, so that it is not copied for every chunk of it.
      const room = this.#begin === 0 && held > 0 ? Math.min(MAX_RECORD_BYTES, 2 * wanted) : wanted;
      const slab = newSlab(room, this.file);
      slab.set(this.#slab.subarray(this.#begin, this.#end));
      this.#base += this.#begin;
      this.#slab = slab;
      this.#begin = 0;
      this.#end = held;
    }
    this.#slab.set(chunk, this.#end);
    this.#end = wanted;
  }

  #tooLong(found: number): TFRecordError {
    const record = this.#nextRecord;
    const offset = this.#base + this.#begin;
    return new TFRecordError(
      'TFR_RECORD_TOO_LARGE',
      `Record longer than allowed in ${this.file}, record ${record}, at byte ${offset}: expected at most ` +
        `${MAX_RECORD_BYTES} bytes, found ${found} or more. Is it text, with line ends?`,
      { file: this.file, record, offset, expected: `at most ${MAX_RECORD_BYTES} bytes` },
    );
  }

  async #open(): Promise<void> {
    const start = this.#start;
    if (start !== undefined) {
      if (this.#plan.wantsHead) await this.#readHead();
      this.#pull = this.#counted(this.#source.open(start.offset));
      return;
    }
    // Known before the first step, so that closing closes it.
    const raw = (this.#pull = this.#counted(this.#source.open(0)));
    const { pull, kind } = await openContent(raw, this.#source, this.#plan.compression);
    this.#pull = pull;
    this.#kind = kind;
  }

  /** The records that a file begins with, where it is read from another place on. */
  async #readHead(): Promise<void> {
    const stream = new ByteStream({ ...this.#source, ahead: false }, { ...this.#plan, compression: 'none' }, undefined);
    this.#pull = { next: () => Promise.resolve(undefined), close: () => stream.close() };
    try {
      for (let read = await stream.next(); read !== undefined; read = await stream.next()) {
        this.#head = read.source.head;
        if (read.fault !== undefined) throw read.fault;
        if (this.#head !== undefined || read.result.outcome === FillOutcome.End) return;
      }
    } finally {
      await stream.close();
    }
  }

  #counted(pull: ChunkPull): ChunkPull {
    return {
      next: async () => {
        const chunk = await pull.next();
        this.#compressedBytes += chunk?.length ?? 0;
        return chunk;
      },
      close: () => pull.close(),
    };
  }
}
