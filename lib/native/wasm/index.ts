/** The binding over WebAssembly: native/core without an addon, on one thread. */
import type { ReaderHandle, RecordBinding } from '../binding';
import type { ExampleBinding, ParserHandle } from '../binding-examples';
import type { IndexBinding } from '../binding-index';
import type { LineBinding } from '../binding-lines';
import type { MaybeCsvBinding } from '../binding-csv';
import type { MaybeDuckdbBinding } from '../binding-duckdb';
import type { MaybeRowBinding } from '../binding-rows';
import { detach, frame, gather, longestRow, ownBytes, padRows } from './arrays';
import { encodingBinding } from './encoding';
import { Handles } from './handles';
import { Instance, type InstanceOptions } from './instance';
import { parserBinding, type ParserObject } from './parsers';
import { pieceBinding } from './pieces';
import { indexBinding } from './indexes';
import { keyBinding } from './keys';
import { Specs } from './reader-spec';
import { readerBinding, type ReaderObject } from './readers';
import { surveyBinding } from './surveys';
import { writerBinding } from './writers';

export type { HostFiles, HostSink } from './host';

/** Bytes that are checksummed at a time, because they are copied. */
const CHECKSUM_BYTES = 65_536;

/** Returns the functions of a new instance of `module`, which is tfrecord.wasm. */
export function wasmBinding(module: WebAssembly.Module, options?: InstanceOptions): RecordBinding & ExampleBinding & IndexBinding & LineBinding & MaybeRowBinding & MaybeCsvBinding & MaybeDuckdbBinding {
  const instance = new Instance(module, options);
  const { exports } = instance;
  const readers = new Handles<ReaderObject, ReaderHandle>(instance, 'tfr_reader_free');
  const specs = new Specs(instance);
  const parsers = new Handles<ParserObject, ParserHandle>(instance, 'tfr_parser_free');
  function crc32c(given: Uint8Array, previous: number): number {
    const bytes = ownBytes(given);
    let sum = previous;
    for (let at = 0; at < bytes.length; at += CHECKSUM_BYTES) {
      const part = bytes.subarray(at, at + CHECKSUM_BYTES);
      sum = instance.withBytes(part, (place, size) => exports.tfr_crc32c(sum, place, size));
    }
    return sum;
  }

  return {
    crc32c,
    findHeader(given, most) {
      return instance.withBytes(ownBytes(given), (place, size) => exports.tfr_find_header(place, size, most));
    },
    gather,
    frame,
    detach,
    // JavaScript has no locks.
    lockFile: undefined,
    codecs(allow) {
      if (allow !== undefined) exports.tfr_choose_codecs(Number(allow.isal), Number(allow.libdeflate));
      const codecs = exports.tfr_codecs();
      return { isal: (codecs & 1) !== 0, libdeflate: (codecs & 2) !== 0 };
    },
    info: () => ({ crc32c: instance.literal(exports.tfr_kernel()), threads: 1 }),
    ...readerBinding(instance, specs, readers),
    ...indexBinding(instance, specs),
    ...keyBinding(instance, specs),
    ...writerBinding(instance),
    ...parserBinding(instance, parsers),
    ...pieceBinding(instance, specs, parsers),
    longestRow,
    padRows,
    ...encodingBinding(instance),
    ...surveyBinding(instance),
    // Pages do not convert JSON Lines and CSV: with these functions the module would be larger than its limit.
    linesNew: undefined,
    linesNewCsv: undefined,
    linesNewRows: undefined,
    linesPrint: undefined,
    jsonRowsNew: undefined,
    jsonRowsParse: undefined,
    jsonRowsEncode: undefined,
    jsonRowsTake: undefined,
    jsonRowsFree: undefined,
    csvRowsNew: undefined,
    csvRowsBegin: undefined,
    csvRowsSurvey: undefined,
    csvRowsEncode: undefined,
    csvRowsTake: undefined,
    csvRowsFree: undefined,
    // Native DuckDB cannot call into WebAssembly.
    duckdbRegister: undefined,
    duckdbQueue: undefined,
    duckdbPush: undefined,
    duckdbEndQueue: undefined,
    duckdbSample: undefined,
    duckdbEnd: undefined,
  };
}
