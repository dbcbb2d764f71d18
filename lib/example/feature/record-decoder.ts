/** Decodes records with native code, which returns the parts of each in a block of memory. */
import { isUtf8 } from 'node:buffer';
import { types } from 'node:util';

import { callNative, counted, invalidArgType, memoryError, orNoMemory, outOfRange, viewOf } from '../../base';
import { givenLength, unsharedBytes } from '../../io';
import { DecodeOutcome, native } from '../../native';
import { LENGTH_DELIMITED, tagOf, WireReader } from '../message';
import { DecodedBlock, DecodedNames, RowField } from './decoded-block';
import { refuseKnown } from './other-type';

/** Size of the first block, and of the largest one that is kept. */
const BLOCK_BYTES = 64 * 1024;
const MAX_KEPT_BYTES = 1024 * 1024;
/** Protobuf's own limit. */
const MAX_EXAMPLE_BYTES = 0x7fff_ffff;

type Decode = (block: Uint8Array, record?: Uint8Array) => DecodeOutcome;

/** The parts of a record. */
export interface DecodedRecord {
  /** The record's bytes, which no other thread can change. */
  readonly record: Uint8Array;
  /** Valid until the next record is decoded. */
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
   * Decodes `given`. @throws TypeError, RangeError for values that cannot be a record; TFRecordError TFR_EXAMPLE,
   * ENOMEM.
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

  /**
   * Returns the name of `row`, number `position` of the record. @throws TFRecordError TFR_EXAMPLE if it is not UTF-8
   */
  name({ record, block }: DecodedRecord, row: number, position: number): string {
    const offset = block.at(row, RowField.NameOffset);
    const name = this.#names.at(position, record, offset, block.at(row, RowField.NameSize));
    return name ?? this.#refuse(record);
  }

  /** Returns a block of `size` bytes with the parts of the last call. It is kept for reuse unless it is much larger. */
  #larger(size: number): DecodedBlock {
    const block = orNoMemory('<bytes>', size, () => new DecodedBlock(size));
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

export type RecordKind = 'an Example' | 'a SequenceExample';

/**
 * Finds the fault of bytes that native code rejected: reads them again, slowly, up to the first fault. A judge checks
 * the content of a length-delimited field, from the reader's position to `end`, and leaves the reader at `end`. `depth`
 * is the number of messages around it.
 */
type Judge = (reader: WireReader, end: number, depth: number) => void;

/** Returns a judge of a message with these fields; other fields are skipped. */
function message(fields: Readonly<Record<number, Judge>>): Judge {
  const judges = new Map(
    Object.entries(fields).map(([field, judge]) => [tagOf(Number(field), LENGTH_DELIMITED), judge]),
  );
  return (reader, end, depth) => {
    while (reader.position < end) {
      const tag = reader.tag(end);
      const judge = judges.get(tag);
      if (judge === undefined) reader.skipField(tag, end, depth);
      else judge(reader, reader.contentEnd(end), depth + 1);
    }
  };
}

const name: Judge = (reader, end) => {
  const { bytes, position } = reader;
  if (!isUtf8(bytes.subarray(position, end))) reader.fail(position, 'a name is no UTF-8');
  reader.position = end;
};

const packedFloats: Judge = (reader, end) => {
  const { position } = reader;
  const size = end - position;
  if (size % 4 !== 0)
    reader.fail(position, `${counted(size, 'byte')} of packed floats ${size === 1 ? 'is' : 'are'} no multiple of 4`);
  reader.position = end;
};

const packedInt64s: Judge = (reader, end) => {
  while (reader.position < end) reader.skipVarint(end);
};

const mapOf = (value: Judge): Judge => message({ 1: message({ 1: name, 2: value }) });

const feature = message({ 1: message({}), 2: message({ 1: packedFloats }), 3: message({ 1: packedInt64s }) });
const features = mapOf(feature);
const judges: Readonly<Record<RecordKind, Judge>> = {
  'an Example': message({ 1: features }),
  'a SequenceExample': message({ 1: features, 2: mapOf(message({ 1: feature })) }),
};

/**
 * @throws TFRecordError TFR_EXAMPLE for `record`, which is not `kind`, with the message that it is, or the first
 * invalid byte
 */
export function refuseRecord(record: Uint8Array, kind: RecordKind): never {
  refuseKnown(record, kind);
  const reader = new WireReader(record, kind);
  judges[kind](reader, record.length, 0);
  return reader.fail(record.length, 'they are malformed');
}
