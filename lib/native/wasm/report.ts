/** Reads what the module reports after a call: native/wasm/report.h. */
/* eslint-disable @typescript-eslint/no-unsafe-enum-assignment -- the numbers of the module are those of the enums */
import { COMPRESSIONS, type Compression, type Fault } from '../../base';
import type { ParseFault } from '../binding-examples';
import type { Instance } from './instance';

/** Names in the order of `FaultCode` of core/base/fault.h, without the first, which stands for no fault. */
const FAULT_NAMES = [
  'TFR_TRUNCATED',
  'TFR_TRAILING_DATA',
  'TFR_CORRUPT_LENGTH',
  'TFR_CORRUPT_DATA',
  'TFR_NOT_TFRECORD',
  'TFR_COMPRESSION',
  'TFR_RECORD_TOO_LARGE',
  'SYSTEM',
  'OUT_OF_MEMORY',
] as const;

/** Reads numbers in order. Valid until the next call of an export. */
export class Report {
  readonly #instance: Instance;
  readonly #numbers: Float64Array;
  #at: number;

  constructor(instance: Instance, place: number) {
    this.#instance = instance;
    this.#numbers = instance.numbers;
    this.#at = place / 8;
  }

  number(): number {
    return this.#numbers[this.#at++]!;
  }

  flag(): boolean {
    return this.number() !== 0;
  }

  /** A place that may be unknown. */
  place(): number | undefined {
    const place = this.number();
    return place < 0 ? undefined : place;
  }

  /** A number of 64 bits, with a sign. */
  bits(): bigint {
    return this.#instance.bits[this.#at++]!;
  }

  numbers(count: number): Float64Array<ArrayBuffer> {
    const numbers = new Float64Array(this.#numbers.subarray(this.#at, this.#at + count));
    this.#at += count;
    return numbers;
  }

  compression(): Compression {
    return COMPRESSIONS[this.number()] as Compression;
  }

  fault(): Fault | undefined {
    const code = this.number();
    if (code === 0) return undefined;
    const name = FAULT_NAMES[code - 1]!;
    return {
      code: name,
      part: this.#instance.literal(this.number()),
      detail: this.#instance.literal(this.number()),
      expected: BigInt.asUintN(64, this.bits()),
      found: BigInt.asUintN(64, this.bits()),
      record: this.place(),
      offset: this.place(),
      compressedOffset: this.place(),
      trailerEnd: this.place(),
      lostBytes: this.place(),
      resumes: this.flag(),
      resumesAt: this.place(),
      regionEnd: this.place(),
      resumesWith: this.place(),
      inside: this.number(),
      doubtful: this.number(),
      fitting: this.number(),
      systemError: this.#systemError(name, this.number()),
    };
  }

  /** Their number, then the faults. */
  faults(): Fault[] {
    return Array.from({ length: this.number() }, () => this.fault()!);
  }

  #systemError(name: string, errno: number): number | undefined {
    return name === 'SYSTEM' ? this.#instance.systemErrno(errno) : undefined;
  }

  parseFault(): ParseFault | undefined {
    const code = this.number();
    if (code === 0) return undefined;
    const row = this.number();
    const column = this.number();
    const byte = this.place();
    const step = this.place();
    const counted = this.flag();
    const found = this.bits();
    // Members that do not apply are undefined, as those of the addon.
    return {
      code,
      row,
      column,
      byte,
      step,
      found: counted ? found : undefined,
      foundKind: this.number(),
    } as ParseFault;
  }
}
