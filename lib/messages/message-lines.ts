/** Messages of one type as lines of JSON, for the command and for conversions. */
import type { Type } from 'protobufjs';

import { checkWire, fromJson, notMessage, type JsonText, type PrintOptions } from '../example';
import { reflectionOf } from './message-types';
import { MessagePrinter } from './print/message-printer';

/** Converts records of one type to protobuf's canonical JSON, and back. */
export class MessageLines {
  /** The full name of the message. */
  readonly name: string;
  readonly #type: Type;
  readonly #printer: MessagePrinter;

  private constructor(name: string, type: Type, options: PrintOptions) {
    this.name = name;
    this.#type = type;
    this.#printer = new MessagePrinter({ full: options.full });
  }

  /** Returns the lines of `type`; undefined unless it is a type of `MessageTypes`. */
  static of(type: object, options: PrintOptions = {}): MessageLines | undefined {
    const reflection = reflectionOf(type);
    return reflection === undefined ? undefined : new MessageLines(reflection.fullName.slice(1), reflection, options);
  }

  /** Number of lists and values that were cut so far. */
  get cuts(): number {
    return this.#printer.cuts;
  }

  /** Adds the JSON of `record`. @throws TFRecordError TFR_DECODE */
  print(record: Uint8Array, out: JsonText): void {
    checkWire(this.#type, record, 'TFR_DECODE');
    this.#printer.print(
      this.#type,
      this.#named(() => this.#type.decode(record)),
      out,
    );
  }

  /** Returns the record of a line of JSON. @throws TFRecordError TFR_DECODE */
  encode(json: string): Uint8Array {
    const message = this.#named(() => fromJson(this.#type, json), 'JSON');
    return this.#named(() => this.#type.encode(message).finish(), 'JSON');
  }

  #named<T>(work: () => T, form: 'bytes' | 'JSON' = 'bytes'): T {
    try {
      return work();
    } catch (cause) {
      throw notMessage(form, this.#type.name, cause);
    }
  }
}
