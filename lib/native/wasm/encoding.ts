/** Decoding single Examples, and encoding batches of them: `ExampleBinding` in binding-examples.ts. */
/* eslint-disable @typescript-eslint/no-unsafe-enum-assignment -- the numbers of the module are those of the enums */
import {
  DecodeOutcome,
  type EncodeFaultCode,
  type EncoderColumn,
  type ExampleBinding,
} from '../binding-examples';
import { isOwn, ownArray, ownBytes } from './arrays';
import type { Instance } from './instance';
import { Report } from './report';

type EncodingBinding = Pick<ExampleBinding, 'exampleDecoder' | 'recordType' | 'encodeColumns'>;

const NOT_OF_COLUMN = 'tfrecord: not the array of a column';

export function encodingBinding(instance: Instance): EncodingBinding {
  const { exports } = instance;
  const decoders = instance.whenCollected<number>((decoder) => exports.tfr_decoder_free(decoder));

  function write(decoder: number, size: number, block: Uint8Array): void {
    const at = exports.tfr_alloc(size);
    try {
      exports.tfr_decoder_write(decoder, at);
      block.set(instance.view(at, size));
    } finally {
      exports.tfr_free(at);
    }
  }

  /** Memory that exists during a call. */
  class Lent {
    readonly #places: number[] = [];

    /** Returns the address of a copy of a plain array; 0 for none. */
    copy(array: NodeJS.TypedArray | undefined): number {
      if (array === undefined) return 0;
      const { buffer, byteOffset, byteLength } = array;
      const at = instance.newCopy(new Uint8Array(buffer, byteOffset, byteLength));
      this.#places.push(at);
      return at;
    }

    free(): void {
      for (const at of this.#places) exports.tfr_free(at);
    }
  }

  function addColumn(encoder: number, column: EncoderColumn, rows: number, lent: Lent): void {
    const [key, kind, given, givenOffsets, givenStarts, givenEnds, count] = column;
    const wanted = (['Uint8Array', 'Float32Array', 'BigInt64Array'] as const)[kind - 1];
    if (wanted === undefined) throw new RangeError('tfrecord: kind of a column');
    const values = ownArray(given, wanted, NOT_OF_COLUMN);
    const [offsets, starts, ends] = [givenOffsets, givenStarts, givenEnds].map(
      (positions) => positions && ownArray(positions, 'Int32Array', NOT_OF_COLUMN),
    );
    if (kind === 1 && offsets === undefined) throw new TypeError('tfrecord: bytes in no order');
    const short = (positions: Int32Array | undefined, least: number): boolean =>
      positions !== undefined && positions.length < least;
    if (short(offsets, 1) || short(starts, rows) || short(ends, rows)) {
      throw new RangeError('tfrecord: too few positions');
    }
    if ((starts === undefined) !== (ends === undefined) || !(count >= 0 && count <= 0x7fff_ffff)) {
      throw new RangeError('tfrecord: rows of a column');
    }
    instance.withBytes(ownBytes(key), (keyAt, keySize) =>
      exports.tfr_encoder_add(
        encoder,
        keyAt,
        keySize,
        kind,
        lent.copy(values),
        kind === 1 ? offsets!.length - 1 : values.length,
        kind === 1 ? lent.copy(offsets) : 0,
        kind === 1 ? values.length : 0,
        lent.copy(starts),
        lent.copy(ends),
        count,
      ),
    );
  }

  return {
    exampleDecoder(sequence) {
      const decoder = exports.tfr_decoder_new(Number(sequence));
      /** Size of the block of what was decoded and not written. */
      let waiting = 0;
      const decode = (block: Uint8Array, record?: Uint8Array): DecodeOutcome => {
        if (!isOwn(block)) return DecodeOutcome.NotOwn;
        if (record !== undefined) {
          if (!isOwn(record)) return DecodeOutcome.NotOwn;
          waiting = instance.withBytes(record, (at, size) => exports.tfr_decoder_decode(decoder, at, size));
          if (waiting < 0) return waiting;
        }
        const target = ownBytes(block);
        if (waiting > target.length) return waiting;
        write(decoder, waiting, target);
        return DecodeOutcome.Done;
      };
      decoders.register(decode, decoder);
      return decode;
    },

    recordType: (record) => instance.withBytes(ownBytes(record), (at, size) => exports.tfr_record_type(at, size)),

    encodeColumns(columns, givenFrames, givenSlab, waste) {
      const frames = ownArray(givenFrames, 'Uint32Array', NOT_OF_COLUMN);
      const slab = givenSlab && ownBytes(givenSlab);
      const rows = Math.floor(frames.length / 2);
      const lent = new Lent();
      const encoder = exports.tfr_encoder_new();
      try {
        for (const column of columns) addColumn(encoder, column, rows, lent);
        const report = new Report(instance, exports.tfr_encoder_measure(encoder, rows));
        const bytes = report.number();
        if (bytes < 0) {
          return { code: report.number() as EncodeFaultCode, row: report.number(), column: report.number() };
        }
        const places = instance.view(report.number(), 8 * rows);
        new Uint8Array(frames.buffer, frames.byteOffset, 8 * rows).set(places);
        if (slab === undefined || slab.length < bytes || slab.length > bytes * waste) return bytes;
        const at = exports.tfr_encoder_write(encoder);
        slab.set(instance.view(at, bytes));
        return undefined;
      } finally {
        exports.tfr_encoder_free(encoder);
        lent.free();
      }
    },
  };
}
