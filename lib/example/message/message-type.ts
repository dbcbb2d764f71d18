import type { Type } from 'protobufjs/light';
import { types } from 'node:util';

import { invalidArgType, TFRecordError, viewOf, type Bytes, type TFRecordErrorCode } from '../../base';
import { givenLength, unsharedBytes } from '../../io';
import { fromJson, toJson, type JsonValue } from './json';
import { messages, reflectedType, textFormat } from './lazy';
import { toPlain } from './plain-message';
import { DIGITS, toProperties, WORDS } from './properties';
import { checkWire, withArticle } from './wire';

/** A list of numbers or bigints may be a typed array, too. */
export type MessageList<E> =
  | readonly MessageInit<E>[]
  | (E extends bigint ? BigInt64Array : E extends number ? Float32Array | Float64Array : never);

/**
 * The objects that `encode`, `toJSON` and `toText` accept for a message `T`: any member may be missing, int64 may also
 * be safe integers, and lists of numbers may be typed arrays.
 */
export type MessageInit<T> = T extends bigint
  ? bigint | number
  : T extends Uint8Array
    ? Uint8Array
    : T extends readonly (infer E)[]
      ? MessageList<E>
      : T extends object
        ? { readonly [K in keyof T]?: MessageInit<T[K]> | undefined }
        : T;

/**
 * Converts one type of protobuf message to and from bytes, JSON and text. Messages are plain objects with protobuf's
 * members in camel case; int64 is bigint, and exact. A decoded message has all members, with protobuf's defaults,
 * except absent messages and members of a oneof. Unknown fields are dropped.
 */
export interface MessageType<T extends object> {
  /** `Example` */
  readonly name: string;

  /**
   * Decodes a message; values are copies. @throws TFRecordError TFR_EXAMPLE (for an Event TFR_DECODE) for invalid bytes
   */
  decode(bytes: Uint8Array): T;

  /**
   * Encodes a message, with packed numbers; maps keep their order.
   * @throws TypeError, RangeError with Node's codes and the path of the member (`message.step`) for unknown members,
   * values that do not fit, and two members of a oneof.
   */
  encode(message: MessageInit<T>): Bytes;

  /**
   * Converts proto3 JSON, as text or as a value, to a message. int64 may be numbers or strings, and are exact.
   *
   * Strict: unknown members, two kinds of a Feature, duplicate names, invalid values, and text that is not JSON throw;
   * `null` is like a missing member.
   * @throws TFRecordError TFR_DECODE
   */
  fromJSON(json: string | JsonValue): T;

  /**
   * Converts a message to a value of proto3 JSON: int64 to strings of digits, bytes to base64, floats to the shortest
   * number that restores the float32, "NaN", "Infinity", "-Infinity" or "-0". Defaults are not included.
   * @throws TypeError, RangeError as `encode`.
   */
  toJSON(message: MessageInit<T>): JsonValue;

  /** Converts protobuf's text form to a message. @throws TFRecordError TFR_DECODE */
  fromText(text: string): T;

  /** Converts a message to protobuf's text form, over several lines. @throws TypeError, RangeError like `encode` */
  toText(message: MessageInit<T>): string;
}

interface StaticType {
  decode(bytes: Uint8Array): object;
  encode(properties: object): { finish(): Uint8Array };
}

/** Messages whose invalid bytes are TFR_DECODE; the others are parts of an Example, with TFR_EXAMPLE. */
const NO_EXAMPLES: readonly string[] = ['Event', 'TensorProto'];

/** The generated code of a package of messages, loaded when it is first used. */
export interface MessagePackage {
  /** The static code, by the names of the messages. */
  statics(): object;
  /** The fields of a message. */
  reflected(name: string): Type;
  /** Returns the code of errors for invalid bytes of a message. */
  code(name: string): TFRecordErrorCode;
  /** Returns the JSON of properties, which have int64 as words. Default: proto3 JSON by protobufjs. */
  json?(type: Type, properties: object): JsonValue;
}

const TENSORFLOW: MessagePackage = {
  statics: messages,
  reflected: reflectedType,
  code: (name) => (NO_EXAMPLES.includes(name) ? 'TFR_DECODE' : 'TFR_EXAMPLE'),
};

/** The message `name` of a package, by default of tensorflow, which has the members of `T`. */
export function messageType<T extends object>(name: string, from = TENSORFLOW): MessageType<T> {
  return new WrappedMessage<T>(name, from);
}

class WrappedMessage<T extends object> implements MessageType<T> {
  readonly name: string;
  readonly #package: MessagePackage;

  constructor(name: string, from: MessagePackage) {
    this.name = name;
    this.#package = from;
  }

  decode(bytes: Uint8Array): T {
    if (!types.isUint8Array(bytes)) throw invalidArgType('bytes', 'a Uint8Array', bytes);
    const type = this.#package.reflected(this.name);
    const code = this.#package.code(this.name);
    const own = unsharedBytes(viewOf(bytes, 0, givenLength('bytes', bytes)));
    checkWire(type, own, code);
    let message: object;
    try {
      message = this.#static().decode(own);
    } catch (cause) {
      throw new TFRecordError(code, `The bytes are not ${withArticle(this.name)}: ${reason(cause)}`, { cause });
    }
    return toPlain(type, message, true) as T;
  }

  encode(message: MessageInit<T>): Bytes {
    const properties = toProperties(this.#package.reflected(this.name), message, WORDS);
    return new Uint8Array(this.#static().encode(properties).finish());
  }

  fromJSON(json: string | JsonValue): T {
    const type = this.#package.reflected(this.name);
    return toPlain(
      type,
      this.#parse('JSON', () => fromJson(type, json)),
      false,
    ) as T;
  }

  toJSON(message: MessageInit<T>): JsonValue {
    const type = this.#package.reflected(this.name);
    return this.#package.json?.(type, toProperties(type, message, WORDS)) ?? toJson(type, message);
  }

  fromText(text: string): T {
    if (typeof text !== 'string') throw invalidArgType('text', 'a string', text);
    if (!text.isWellFormed()) {
      throw new TFRecordError('TFR_DECODE', `The text is not ${withArticle(this.name)}: it has half a surrogate pair`);
    }
    const type = this.#package.reflected(this.name);
    return toPlain(
      type,
      this.#parse('text', () => textFormat().fromText(type, text)),
      false,
    ) as T;
  }

  toText(message: MessageInit<T>): string {
    const type = this.#package.reflected(this.name);
    return textFormat().toText(type, toProperties(type, message, DIGITS));
  }

  #static(): StaticType {
    return (this.#package.statics() as Record<string, StaticType>)[this.name]!;
  }

  #parse(form: string, parse: () => object): object {
    try {
      return parse();
    } catch (cause) {
      throw new TFRecordError('TFR_DECODE', `The ${form} is not ${withArticle(this.name)}: ${reason(cause)}`, {
        cause,
      });
    }
  }
}

/** The error TFR_DECODE for bytes or JSON that are not a message `name`. */
export function notMessage(form: 'bytes' | 'JSON', name: string, cause: unknown): TFRecordError {
  const expected = withArticle(name);
  const found = reason(cause);
  const verb = form === 'bytes' ? 'are' : 'is';
  return new TFRecordError('TFR_DECODE', `The ${form} ${verb} not ${expected}: ${found}`, { expected, found, cause });
}

const MAX_REASON = 200;

/** Returns the message of a library's error, cut if it quotes a long value. What is thrown may be anything. */
export function reason(error: unknown): string {
  let text = 'an unknown error';
  try {
    text = error instanceof Error ? error.message : String(error);
  } catch {
    // It has no text.
  }
  return text.length > MAX_REASON ? `${text.slice(0, MAX_REASON)}…` : text;
}
