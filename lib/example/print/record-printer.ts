/** One record as one line of JSON. */
import { printEvent } from './event-json';
import { printExample } from './example-json';
import { hex, printBytes, type JsonText } from './json';
import { messages, type tensorflow } from '../message';
import { PrintContext, type PrintOptions } from './print-context';
import { isPrintable } from '../../tensor';
import { recordType, type RecordType } from '../feature';
import { closedBy, lengthOf } from './wire-walk';

/**
 * Prints records, each by its own type:
 *
 * - Example: `{"features":{"age":[29],"name":["Ann"],"score":[0.5]}}`. Features in the byte order of their names; int64
 *   as exact integers, floats with a point or exponent, bytes as {@link bytesJson}. A feature without a kind is `null`.
 * - SequenceExample: `{"context":{…},"featureLists":{"words":[["a","b"],["c"]]}}`, one list a step.
 * - Event: `{"event":{"wallTime":…,"step":…,…}}`.
 * - Anything else: `{"bytes":7,"hex":"…"}`: the size and the first bytes, and `"text"` when the record is text.
 *
 * With `kinds` every feature is `{"int64":[29]}`, `{"float":…}` or `{"bytes":…}`. Unless `full`, long values are cut: a
 * list ends with `{"more":n}` if n values are left out, `"more":n` beside bytes counts bytes that are left out, and
 * after 4,096 names `"moreFeatures":n` (`moreContext`, `moreFeatureLists`) counts names that are left out.
 */
export class RecordPrinter {
  readonly #context: PrintContext;

  constructor(options: PrintOptions = {}) {
    this.#context = new PrintContext(options);
  }

  /** Number of lists and values that were cut so far. */
  get cuts(): number {
    return this.#context.cuts;
  }

  /**
   * Adds one line of JSON, without its line feed, that begins with `first`; returns the record's type.
   * @throws TFRecordError TFR_RECORD_TOO_LARGE
   */
  print(record: Uint8Array, out: JsonText, first = '{'): RecordType {
    const type = recordType(record);
    // Only decoding shows whether the messages in an Event are valid.
    const event = type === 'Event' ? decodedEvent(record) : undefined;
    if (event !== undefined) {
      out.add(`${first}"event":${printEvent(event, this.#context)}}`);
      return type;
    }
    out.add(first);
    if (type === 'Example' || type === 'SequenceExample') {
      printExample(record, type === 'SequenceExample', this.#context, out);
    } else {
      this.#bytes(record, out);
    }
    out.add('}');
    return type === 'Event' ? 'unknown' : type;
  }

  #bytes(record: Uint8Array, out: JsonText): void {
    const { limits } = this.#context;
    const more = Math.max(0, record.length - limits.rawBytes);
    if (more > 0) this.#context.cuts++;
    out.add(`"bytes":${record.length},"hex":"`);
    for (let at = 0, end = record.length - more; at < end; at += HEX_PIECE) {
      out.add(hex(record.subarray(at), Math.min(HEX_PIECE, end - at)));
    }
    out.add(`"${more > 0 ? `,"more":${more}` : ''}`);
    if (!isPrintable(record)) return;
    out.add(',"text":');
    printBytes(record, limits.textBytes, 0, out);
  }
}

const HEX_PIECE = 2 ** 20;

/**
 * Returns the decoded Event; undefined if the record is not an Event, or if its objects would take many times its size.
 */
function decodedEvent(record: Uint8Array): tensorflow.Event | undefined {
  if (hasManyParts(record)) return undefined;
  try {
    return messages().Event.decode(record);
  } catch {
    return undefined;
  }
}

const SMALL_EVENT = 2 ** 20;
const MAX_PARTS = 2 ** 18;
const SUMMARY = 0x2a;
const TENSOR = 0x42;

/** True if a large Event has very many values or tensor parts: each becomes an object when it is decoded. */
function hasManyParts(record: Uint8Array): boolean {
  if (record.length < SMALL_EVENT) return false;
  let parts = 0;
  const inside = (start: number, end: number, follow: (tag: number) => boolean): void => {
    const cursor = { bytes: record, position: start };
    while (cursor.position < end && parts <= MAX_PARTS) {
      const tag = lengthOf(cursor);
      parts++;
      const wireType = tag & 7;
      if (wireType === 1) cursor.position += 8;
      else if (wireType === 5) cursor.position += 4;
      else if (wireType === 0) lengthOf(cursor);
      else {
        const stop = closedBy(cursor);
        if (follow(tag)) inside(cursor.position, stop, FOLLOWED[tag] ?? (() => false));
        cursor.position = stop;
      }
    }
  };
  const FOLLOWED: Readonly<Record<number, (tag: number) => boolean>> = {
    // The values of a summary, and each value's tensor.
    [SUMMARY]: (tag) => tag === 0x0a,
    0x0a: (tag) => tag === TENSOR,
  };
  inside(0, record.length, (tag) => tag === SUMMARY);
  return parts > MAX_PARTS;
}
