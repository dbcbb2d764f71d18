/** One record as one line of JSON. */
import { printEvent } from './event-json';
import { printFeatureLists, printFeatures } from './example-json';
import { bytesJson, hex } from './json-bytes';
import { messages, type tensorflow } from '../message';
import { PrintContext, type PrintOptions } from './print-context';
import { isPrintable } from '../tensor';
import { recognizeRecord, type RecordType } from './recognize';

/** One line of JSON, without its line feed, and what it shows. */
export interface PrintedRecord {
  readonly type: RecordType;
  readonly json: string;
}

/**
 * Prints records, each by its own type:
 *
 * - Example: `{"features":{"age":[29],"name":["Ann"],"score":[0.5]}}`. Features in the byte order of their names; int64
 *   as exact integers, floats with a point or exponent, bytes as {@link bytesJson}. A feature without a kind is `null`.
 * - SequenceExample: `{"context":{…},"featureLists":{"words":[["a","b"],["c"]]}}`, one list a step.
 * - Event: `{"event":{"wallTime":…,"step":…,…}}`.
 * - Anything else: `{"bytes":7,"hex":"…"}`: the size and the first bytes, and `"text"` when the record is text.
 *
 * With `kinds` every feature is `{"int64":[29]}`, `{"float":…}` or `{"bytes":…}`. Unless `full`, what is long is cut: a
 * list ends with `{"more":n}` for n values that are left out, and `"more":n` beside bytes counts bytes.
 */
export class RecordPrinter {
  readonly #context: PrintContext;

  constructor(options: PrintOptions = {}) {
    this.#context = new PrintContext(options);
  }

  /** How many lists and values were cut so far. */
  get cuts(): number {
    return this.#context.cuts;
  }

  print(record: Uint8Array): PrintedRecord {
    const type = recognizeRecord(record);
    // The form of what lies deeper in an Event than its summary is only known by decoding.
    const event = type === 'Event' ? decodedEvent(record) : undefined;
    if (event !== undefined) return { type, json: `{"event":${printEvent(event, this.#context)}}` };
    const told = type === 'Event' ? 'unknown' : type;
    return { type: told, json: `{${this.#members(told, record)}}` };
  }

  #members(type: Exclude<RecordType, 'Event'>, record: Uint8Array): string {
    switch (type) {
      case 'Example':
        return `"features":${printFeatures(messages().Example.decode(record).features, this.#context)}`;
      case 'SequenceExample': {
        const { context, featureLists } = messages().SequenceExample.decode(record);
        return (
          `"context":${printFeatures(context, this.#context)},` +
          `"featureLists":${printFeatureLists(featureLists, this.#context)}`
        );
      }
      case 'unknown':
        return this.#bytes(record);
    }
  }

  #bytes(record: Uint8Array): string {
    const { limits } = this.#context;
    const more = Math.max(0, record.length - limits.rawBytes);
    if (more > 0) this.#context.cuts++;
    const size = `"bytes":${record.length},"hex":"${hex(record, limits.rawBytes)}"${more > 0 ? `,"more":${more}` : ''}`;
    return isPrintable(record) ? `${size},"text":${bytesJson(record, limits.textBytes, 0).json}` : size;
  }
}

function decodedEvent(record: Uint8Array): tensorflow.Event | undefined {
  try {
    return messages().Event.decode(record);
  } catch {
    return undefined;
  }
}
