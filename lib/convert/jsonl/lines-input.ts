/** Reads JSON Lines: plain rows, and protobuf's canonical JSON. */
import { isUtf8 } from 'node:buffer';

import type { Bytes, TFRecordError } from '../../base';
import { Event, Example, SequenceExample } from '../../example';
import { batchOf, COUNTED, LINES, type RecordBatch } from '../../record';
import type { InputFormat, ReadSettings } from '../format';
import { copyRecords } from '../input/copy-input';
import { DecodingReader, type LineDecoder } from '../input/decoding-reader';
import { filesInput } from '../input/files-input';
import { FramedReader, silentPolicy } from '../input/framed-input';
import type { Inputs } from '../input/inputs';
import type { MessageLines } from '../../messages';
import { isBlank, rowError, RowFault } from './parse-line';
import { newRows } from './row-chunk';
import { FileChunks } from './row-chunks';
import { RowsReader } from './rows-reader';
import { specEncoder } from './spec-rows';
import { specRules } from './spec-rules';
import { surveyedRows } from './surveyed-rows';

/** Encodes a line as a record. @throws RowFault */
type LineEncoder = (line: Bytes) => Uint8Array;

const lines = {
  copied: (inputs: Inputs, settings: ReadSettings, path: string) => copyRecords(inputs, settings, path, LINES),
  units,
};

export const rowLinesInput: InputFormat = filesInput({
  ...lines,
  uses: [],
  readsTwice: ({ spec, message }) => spec === undefined && message === undefined,
  async prepared(inputs, settings, progress) {
    const { spec, message } = settings;
    if (message !== undefined)
      return { open: (first, _number, own) => linesReader(inputs, first, own, messageEncoder(message)) };
    if (spec === undefined) return surveyedRows(inputs, settings, progress);
    const keeps = (name: string): boolean => settings.choice.keeps(name);
    const encode = specEncoder(spec, keeps);
    const rules = specRules(spec, settings.choice, encode);
    if (rules !== undefined) {
      const files = (first: number, own: ReadSettings): FileChunks =>
        new FileChunks(inputs, first, own, newRows('all', true));
      const bytesBefore = (): number => 0;
      return {
        open: (first, _number, own) =>
          new RowsReader({
            chunks: files(first, own),
            files: (from) => files(from, own),
            bytesBefore,
            rules,
            settings: own,
          }),
      };
    }
    return { open: (first, _number, own) => linesReader(inputs, first, own, encode) };
  },
});

export const messageLinesInput: InputFormat = filesInput({
  ...lines,
  uses: [],
  noSpec: 'its lines define the kind of each feature; features or exclude choose some of them',
  prepared: (inputs, { message }) =>
    Promise.resolve({ open: (first, _number, own) => linesReader(inputs, first, own, messageEncoder(message)) }),
});

/** Returns what encodes lines as `message`. Undefined: as Examples, SequenceExamples and Events. */
function messageEncoder(message: MessageLines | undefined): LineEncoder {
  return message === undefined ? encodeMessage : (line) => message.encode(textOf(line));
}

/** The text of a line. @throws RowFault */
function textOf(line: Bytes): string {
  if (!isUtf8(line)) throw new RowFault('TFR_DECODE', 'it is not UTF-8');
  return Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8');
}

function units(inputs: Inputs, settings: ReadSettings): FramedReader {
  return new FramedReader(inputs, 0, settings, {
    framing: LINES,
    unread: COUNTED,
    policy: silentPolicy(settings.policy),
  });
}

function linesReader(inputs: Inputs, first: number, settings: ReadSettings, encode: LineEncoder): DecodingReader {
  return new DecodingReader(inputs, first, settings, LINES, new ValueDecoder(encode));
}

/** Encodes a message in canonical JSON. The name of its first member determines its type. */
function encodeMessage(line: Bytes): Uint8Array {
  const text = textOf(line);
  const [, member] = /^\s*\{\s*"([^"\\]*)"/.exec(text) ?? [];
  const isExample = member === undefined || member === 'features';
  const type = isExample
    ? Example
    : member === 'context' || /^feature_?[lL]ists$/.test(member)
      ? SequenceExample
      : Event;
  return type.encode(type.fromJSON(text));
}

/** Makes a record of each line that is not blank. */
class ValueDecoder implements LineDecoder {
  readonly #encode: LineEncoder;
  #records: Uint8Array[] = [];

  constructor(encode: LineEncoder) {
    this.#encode = encode;
  }

  begin(): void {
    this.#records = [];
  }

  take(line: Bytes): boolean {
    if (isBlank(line)) return false;
    this.#records.push(this.#encode(line));
    return true;
  }

  records(file: string): RecordBatch {
    return batchOf(this.#records, file);
  }

  errorOf(error: unknown, file: string, line: number): TFRecordError {
    return rowError(error, file, line);
  }
}
