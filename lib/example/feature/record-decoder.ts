/** Records taken apart by native code, which lays each out in a block that is read at once. */
import { isUtf8 } from 'node:buffer';
import { types } from 'node:util';

import { invalidArgType, outOfRange } from '../../errors';
import { DecodeOutcome, native } from '../../native';
import { callNative, givenLength, memoryError, orNoMemory, unsharedBytes, viewOf } from '../../record';
import { DecodedBlock, RowField } from './decoded-block';
import { DecodedNames } from './decoded-names';
import { refuseRecord, type RecordKind } from './judge-record';

/** The first block, and the largest that is kept. */
const BLOCK_BYTES = 64 * 1024;
const MAX_KEPT_BYTES = 1024 * 1024;
/** Protobuf's own limit. */
const MAX_EXAMPLE_BYTES = 0x7fff_ffff;

type Decode = (block: Uint8Array, record?: Uint8Array) => DecodeOutcome;

/** What was taken from a record. */
export interface DecodedRecord {
  /** The record's bytes, which no other thread can change. */
  readonly record: Uint8Array;
  /** Good until the next record is taken apart. */
  readonly block: DecodedBlock;
}

export class RecordDecoder {
  readonly #kind: RecordKind;
  readonly #names = new DecodedNames();
  #block = new DecodedBlock(BLOCK_BYTES);
  readonly #decode: Decode;

  constructor(kind: RecordKind) {
    this.#kind = kind;
    this.#decode = callNative('<bytes>', () => native().exampleDecoder(kind === 'a SequenceExample'));
  }

  /**
   * Takes `given` apart.
   * @throws TypeError, RangeError for what cannot be a record; TFRecordError TFR_EXAMPLE, ENOMEM.
   */
  take(given: unknown): DecodedRecord {
    let record = checkRecord(given);
    let outcome = this.#decode(this.#block.bytes, record);
    if (outcome === DecodeOutcome.NotOwn) {
      record = unsharedBytes(record);
      outcome = this.#decode(this.#block.bytes, record);
    }
    if (outcome === DecodeOutcome.Malformed) return this.#refuse(record);
    if (outcome === DecodeOutcome.OutOfMemory) throw memoryError('<bytes>');
    const block = outcome === DecodeOutcome.Done ? this.#block : this.#larger(outcome);
    if (block.hasIdleNames) this.#judgeIdleNames(record, block);
    return { record, block };
  }

  /** The name of `row`, the record's `position`th. @throws TFRecordError TFR_EXAMPLE when it is no UTF-8. */
  name({ record, block }: DecodedRecord, row: number, position: number): string {
    const offset = block.at(row, RowField.NameOffset);
    const name = this.#names.at(position, record, offset, block.at(row, RowField.NameSize));
    return name ?? this.#refuse(record);
  }

  /** A block of `size` bytes, with what the last call took. It stays when it is not much larger. */
  #larger(size: number): DecodedBlock {
    const block = orNoMemory('<bytes>', () => new DecodedBlock(size));
    this.#decode(block.bytes);
    if (size <= MAX_KEPT_BYTES) this.#block = block;
    return block;
  }

  #judgeIdleNames(record: Uint8Array, { idleNames }: DecodedBlock): void {
    for (let i = 0; i < idleNames.length; i += 2) {
      const offset = idleNames[i]!;
      if (!isUtf8(viewOf(record, offset, offset + idleNames[i + 1]!))) this.#refuse(record);
    }
  }

  #refuse(record: Uint8Array): never {
    return refuseRecord(viewOf(record, 0, givenLength('record', record)), this.#kind);
  }
}

function checkRecord(record: unknown): Uint8Array {
  if (!types.isUint8Array(record)) throw invalidArgType('record', 'a Uint8Array', record);
  const length = givenLength('record', record);
  if (length > MAX_EXAMPLE_BYTES) throw outOfRange('record', `at most ${MAX_EXAMPLE_BYTES} bytes long`, length);
  return record;
}
