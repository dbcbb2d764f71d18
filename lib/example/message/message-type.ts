import { types } from 'node:util';

import { invalidArgType, TFRecordError } from '../../errors';
import { unsharedBytes, type Bytes } from '../../record';
import { checkWire } from './check-wire';
import { fromJson, toJson, type JsonValue } from './json-form';
import { messages, reflectedType } from './lazy';
import type { MessageInit, MessageType } from './message-form';
import { toPlain } from './plain-message';
import { WORDS, toProperties } from './properties';
import { fromText, toText } from './text-form';

interface StaticType {
  decode(bytes: Uint8Array): object;
  encode(properties: object): { finish(): Uint8Array };
}

/** Messages whose broken bytes are TFR_DECODE; the others are parts of an Example. */
const NO_EXAMPLES: readonly string[] = ['Event', 'TensorProto'];

/** The message `name` of the package tensorflow, which has the members of `T`. */
export function messageType<T extends object>(name: string): MessageType<T> {
  return new WrappedMessage<T>(name);
}

class WrappedMessage<T extends object> implements MessageType<T> {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  decode(bytes: Uint8Array): T {
    if (!types.isUint8Array(bytes)) throw invalidArgType('bytes', 'a Uint8Array', bytes);
    const type = reflectedType(this.name);
    const code = NO_EXAMPLES.includes(this.name) ? 'TFR_DECODE' : 'TFR_EXAMPLE';
    const own = unsharedBytes(bytes);
    checkWire(type, own, code);
    let message: object;
    try {
      message = this.#static().decode(own);
    } catch (cause) {
      throw new TFRecordError(code, `The bytes are no ${this.name}: ${reason(cause)}`, { cause });
    }
    return toPlain(type, message) as T;
  }

  encode(message: MessageInit<T>): Bytes {
    const properties = toProperties(reflectedType(this.name), message, WORDS);
    return new Uint8Array(this.#static().encode(properties).finish());
  }

  fromJSON(json: string | JsonValue): T {
    const type = reflectedType(this.name);
    return toPlain(
      type,
      this.#parse('JSON', () => fromJson(type, json)),
    ) as T;
  }

  toJSON(message: MessageInit<T>): JsonValue {
    return toJson(reflectedType(this.name), message);
  }

  fromText(text: string): T {
    if (typeof text !== 'string') throw invalidArgType('text', 'a string', text);
    if (!text.isWellFormed()) {
      throw new TFRecordError('TFR_DECODE', `The text is no ${this.name}: it has half a surrogate pair`);
    }
    const type = reflectedType(this.name);
    return toPlain(
      type,
      this.#parse('text', () => fromText(type, text)),
    ) as T;
  }

  toText(message: MessageInit<T>): string {
    return toText(reflectedType(this.name), message);
  }

  #static(): StaticType {
    return (messages() as unknown as Record<string, StaticType>)[this.name]!;
  }

  #parse(form: string, parse: () => object): object {
    try {
      return parse();
    } catch (cause) {
      throw new TFRecordError('TFR_DECODE', `The ${form} is no ${this.name}: ${reason(cause)}`, { cause });
    }
  }
}

const MAX_REASON = 200;

/** What a library says, without the whole value that it may quote. */
function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.length > MAX_REASON ? `${text.slice(0, MAX_REASON)}…` : text;
}
