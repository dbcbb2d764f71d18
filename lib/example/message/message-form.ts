import type { Bytes } from '../../record';
import type { JsonValue } from './json-form';

/** A list of numbers or bigints may be a typed array, too. */
export type MessageList<E> =
  | readonly MessageInit<E>[]
  | (E extends bigint ? BigInt64Array : E extends number ? Float32Array | Float64Array : never);

/**
 * What `encode`, `toJSON` and `toText` take for a message `T`: any member may be left out, int64 may be safe integers too,
 * and lists of numbers may be typed arrays.
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
 * One kind of protobuf message: to and from bytes, JSON and text. Messages are plain objects with protobuf's members in
 * camel case; int64 is bigint, both ways and exact. What is read has every member: lists and maps may be empty, absent
 * messages and members of a oneof are left out, other members have protobuf's default. Unknown fields are dropped.
 */
export interface MessageType<T extends object> {
  /** `Example` */
  readonly name: string;

  /**
   * The message of these bytes; values are copies. @throws TFRecordError TFR_EXAMPLE (of an Event TFR_DECODE) when they
   * are none.
   */
  decode(bytes: Uint8Array): T;

  /**
   * The bytes of a message, numbers packed; maps keep their order.
   * @throws TypeError, RangeError with Node's codes and the path of the member (`message.step`) for unknown members,
   * values that do not fit, and two members of a oneof.
   */
  encode(message: MessageInit<T>): Bytes;

  /**
   * The message of proto3 JSON: of its text, or of the value of it. int64 may be numbers or strings, and are exact.
   *
   * Strict: unknown members, two kinds of a Feature, a name that comes twice, values that do not fit, and everything that
   * is no JSON are refused; `null` is as if it were not there.
   * @throws TFRecordError TFR_DECODE
   */
  fromJSON(json: string | JsonValue): T;

  /**
   * The value of proto3 JSON: int64 are strings of digits, bytes are base64, floats the shortest number that reads back
   * as the same float32, "NaN", "Infinity", "-Infinity" or "-0"; defaults are left out.
   * @throws TypeError, RangeError as `encode`.
   */
  toJSON(message: MessageInit<T>): JsonValue;

  /** The message of protobuf's text form. @throws TFRecordError TFR_DECODE */
  fromText(text: string): T;

  /** Protobuf's text form, over several lines. @throws TypeError, RangeError as `encode`. */
  toText(message: MessageInit<T>): string;
}
