/** Readers of Examples: `ExampleBinding` in binding-examples.ts. */
import { PieceField, type ExampleBinding, type ExamplesHandle, type ParserHandle } from '../binding-examples';
import { Handles, type NativeObject } from './handles';
import type { Instance } from './instance';
import { sizesOf, takeColumns, type ParserObject } from './parsers';
import { readWants, rangesPointer, type Feeding } from './ranges';
import type { Specs } from './reader-spec';
import { Report } from './report';

type PieceBinding = Pick<
  ExampleBinding,
  | 'examplesOpenFile'
  | 'examplesOpenFed'
  | 'examplesOpenRanges'
  | 'examplesFeed'
  | 'examplesFeedRange'
  | 'examplesEndAt'
  | 'examplesWants'
  | 'examplesNext'
  | 'examplesNextSync'
  | 'examplesReport'
  | 'examplesLengths'
  | 'examplesSizes'
  | 'examplesTake'
  | 'examplesDrop'
  | 'examplesSkip'
  | 'examplesClose'
>;

interface ExamplesObject extends NativeObject {
  readonly fed: Feeding;
  readonly parser: ParserObject;
  /** Pieces that JavaScript may ask for: number to pointer. */
  readonly pieces: Map<number, number>;
}

export function pieceBinding(instance: Instance, specs: Specs, parsers: Handles<ParserObject, ParserHandle>): PieceBinding {
  const { exports } = instance;
  const readers = new Handles<ExamplesObject, ExamplesHandle>(instance, 'tfr_examples_free', dropAll);

  function dropAll({ pieces }: ExamplesObject): void {
    for (const piece of pieces.values()) exports.tfr_piece_drop(0, piece);
    pieces.clear();
  }

  function open(pointer: number, fed: Feeding, parser: ParserHandle): ExamplesHandle {
    return readers.new({ pointer, fed, parser: parsers.of(parser), pieces: new Map() });
  }

  /** Returns a free number for the piece of a job. */
  function keep({ pieces }: ExamplesObject, result: number): number {
    let number = 0;
    while (pieces.has(number)) number++;
    pieces.set(number, new Report(instance, result).number());
    return number;
  }

  function pieceOf({ pieces }: ExamplesObject, number: number): number {
    const piece = pieces.get(number);
    if (piece === undefined) throw new RangeError("tfrecord: not a piece's number");
    return piece;
  }

  /** Returns the batch of a piece, which must have rows `from` to `to`. */
  function batchOf(held: ExamplesObject, number: number, from: number, to: number): number {
    const batch = exports.tfr_piece_batch(pieceOf(held, number));
    if (batch === 0 || from > to || to > exports.tfr_columns_rows(batch)) {
      throw new RangeError('tfrecord: not rows of this piece');
    }
    return batch;
  }

  function checkSizes({ parser }: ExamplesObject, sizes: Float64Array): void {
    if (sizes.length !== 5 * parser.columns.length) throw new TypeError('tfrecord: not the sizes of these columns');
  }

  function checkRecords(records: number): void {
    if (records === 0) throw new RangeError('tfrecord: no records');
  }

  return {
    examplesOpenFile(path, spec, parser) {
      const { pointer } = parsers.of(parser);
      const opened = instance.withText(path, (at, size) =>
        specs.open(spec, (numbers) => exports.tfr_examples_open_file(at, size, numbers, pointer)),
      );
      return open(opened, 'none', parser);
    },

    examplesOpenFed(spec, parser) {
      const { pointer } = parsers.of(parser);
      const opened = specs.open(spec, (numbers) => exports.tfr_examples_open_fed(numbers, pointer));
      return open(opened, 'stream', parser);
    },

    examplesOpenRanges(spec, parser, size = -1, maxAhead) {
      const { pointer } = parsers.of(parser);
      const opened = specs.open(spec, (numbers) =>
        exports.tfr_examples_open_ranges(numbers, pointer, size, maxAhead),
      );
      return open(opened, 'ranges', parser);
    },

    examplesFeed(handle, chunk, last) {
      const { pointer, fed } = readers.of(handle);
      if (fed !== 'stream') throw instance.memoryError();
      instance.withBytes(chunk, (at, size) => exports.tfr_examples_feed(pointer, at, size, Number(last)));
    },

    examplesFeedRange(handle, position, bytes) {
      const pointer = rangesPointer(readers.of(handle));
      instance.withBytes(bytes, (at, size) => exports.tfr_examples_feed_range(pointer, position, at, size));
    },

    examplesEndAt(handle, position) {
      exports.tfr_examples_end_at(rangesPointer(readers.of(handle)), position);
    },

    examplesWants(handle) {
      return readWants(instance, exports.tfr_examples_wants(rangesPointer(readers.of(handle))));
    },

    examplesNext(handle, records) {
      checkRecords(records);
      const held = readers.of(handle);
      const job = exports.tfr_examples_next(held.pointer, records);
      return instance.jobs.begin(job, handle, (result) => keep(held, result));
    },

    // Without threads, nothing would be gained by reading ahead.
    examplesNextSync(handle, records) {
      checkRecords(records);
      const held = readers.of(handle);
      const job = exports.tfr_examples_next_now(held.pointer, records);
      instance.jobs.schedule();
      try {
        return keep(held, exports.tfr_job_result(job));
      } finally {
        exports.tfr_job_free(job);
      }
    },

    examplesReport(handle, piece, to) {
      const fields: number = PieceField.Count;
      if (to.length !== fields) throw new TypeError("tfrecord: not a report");
      const report = new Report(instance, exports.tfr_piece_report(pieceOf(readers.of(handle), piece)));
      to.set(report.numbers(PieceField.Count));
      const halt = report.fault();
      const rows = Array.from({ length: report.number() }, () => ({
        index: report.number(),
        data: report.fault(),
        parse: report.parseFault(),
      }));
      return rows.length === 0 && halt === undefined ? undefined : { rows, halt };
    },

    examplesLengths(handle, piece, lengths) {
      const pointer = pieceOf(readers.of(handle), piece);
      const report = new Report(instance, exports.tfr_piece_report(pointer));
      const records = report.numbers(PieceField.Count).at(PieceField.Records);
      if (lengths.length !== records) {
        throw new TypeError('tfrecord: not the lengths of this piece');
      }
      const from = instance.view(exports.tfr_piece_lengths(pointer), lengths.byteLength);
      new Uint8Array(lengths.buffer, lengths.byteOffset, lengths.byteLength).set(from);
    },

    examplesSizes(handle, piece, from, to, sizes) {
      const held = readers.of(handle);
      const batch = batchOf(held, piece, from, to);
      checkSizes(held, sizes);
      sizes.set(sizesOf(instance, batch, held.parser.columns.length, from, to));
    },

    examplesTake(handle, piece, from, to, arrays, filled) {
      const held = readers.of(handle);
      const batch = batchOf(held, piece, from, to);
      if (filled !== undefined) checkSizes(held, filled);
      takeColumns(instance, held.parser, batch, from, to, arrays, filled);
    },

    examplesDrop(handle, piece) {
      const held = readers.of(handle);
      const pointer = pieceOf(held, piece);
      held.pieces.delete(piece);
      exports.tfr_piece_drop(held.pointer, pointer);
    },

    examplesSkip(handle) {
      exports.tfr_examples_skip(readers.of(handle).pointer);
    },

    examplesClose(handle) {
      const held = readers.of(handle);
      const job = exports.tfr_examples_close(held.pointer);
      return instance.jobs.begin(job, handle, () => dropAll(held));
    },
  };
}
