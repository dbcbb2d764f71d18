/** Messages as protobufjs makes them, turned into plain objects with every member. */
import { newRecord, isList, isObject } from '../../base';
import type { Enum, Field, MapField, Type } from 'protobufjs/light';

/** An int64 as protobufjs gives it. */
interface Long {
  readonly low: number;
  readonly high: number;
  readonly unsigned: boolean;
}

/**
 * The plain object of a message of `type`, static or reflected. `decoded`: false for a message of JSON or text, whose maps
 * have integer keys in digits.
 */
export function toPlain(type: Type, message: object, decoded: boolean): Record<string, unknown> {
  const source = message as Readonly<Record<string, unknown>>;
  const plain: Record<string, unknown> = {};
  for (const field of type.fieldsArray) {
    const { name } = field.resolve();
    const value = Object.hasOwn(source, name) ? source[name] : undefined;
    if (isMap(field)) {
      plain[name] = mapToPlain(field, isObject(value) ? value : {}, decoded);
    } else if (field.repeated) {
      plain[name] = (isList(value) ? value : []).map((item) => toPlainValue(field, item, decoded));
    } else if (field.partOf) {
      // Static code names the member that counts, and keeps those that came before it.
      const counts = source[field.partOf.name] ?? name;
      if (value !== undefined && value !== null && counts === name) {
        plain[name] = toPlainValue(field, value, decoded);
      }
    } else if (value !== undefined && value !== null) {
      plain[name] = toPlainValue(field, value, decoded);
    } else if (!isMessage(field) && !isOptional(field)) {
      plain[name] = defaultOf(field);
    }
  }
  return plain;
}

/** True if a field tells absence from its default, as the optional fields of proto2 do. */
export function isOptional(field: Field): boolean {
  // Own where `keepZeroes` of lazy.ts has set it.
  return field.hasPresence && !Object.hasOwn(field, 'hasPresence');
}

/** True if a field holds messages; enums and scalars have a default instead. */
export function isMessage(field: Field): field is Field & { readonly resolvedType: Type } {
  return field.resolvedType !== null && 'fieldsArray' in field.resolvedType;
}

/** The enum of a field that holds one. */
export function enumOf(field: Field): Enum | undefined {
  return field.resolvedType !== null && 'values' in field.resolvedType ? field.resolvedType : undefined;
}

/** True if a field is a map. */
export function isMap(field: Field): field is Field & MapField {
  return field.map;
}

/** True for the integer types of 64 bits. */
export function is64(type: string): boolean {
  return type.endsWith('64');
}

/** Protobuf's default of a field that is no message. */
export function defaultOf(field: Field): unknown {
  if (is64(field.type)) return 0n;
  switch (field.type) {
    case 'bytes':
      return new Uint8Array(0);
    case 'string':
      return '';
    case 'bool':
      return false;
    default:
      return 0;
  }
}

function mapToPlain(
  field: Field & MapField,
  map: Readonly<Record<string, unknown>>,
  decoded: boolean,
): Record<string, unknown> {
  const plain = newRecord<unknown>();
  for (const key of Object.keys(map)) {
    plain[decoded ? mapKeyText(field.keyType, key) : key] = toPlainValue(field, map[key], decoded);
  }
  return plain;
}

/** Length of the form in which protobufjs decodes keys of 64 bits: a character for each byte, the lowest first. */
const HASH_LENGTH = 8;

/** Returns a key of a map that protobufjs decoded, as text: integers in digits. */
export function mapKeyText(type: string, key: string): string {
  // A missing key is the number 0.
  if (!is64(type) || key.length !== HASH_LENGTH) return key;
  const bytes = Buffer.from(key, 'latin1');
  return String(type.startsWith('u') || type === 'fixed64' ? bytes.readBigUInt64LE() : bytes.readBigInt64LE());
}

function toPlainValue(field: Field, value: unknown, decoded: boolean): unknown {
  if (isMessage(field)) return toPlain(field.resolvedType, value as object, decoded);
  if (is64(field.type)) return typeof value === 'object' ? bigintOf(value as Long) : BigInt(value as number);
  switch (field.type) {
    case 'float':
      return Math.fround(value as number);
    case 'bytes':
      return new Uint8Array(value as Uint8Array);
    default:
      return value;
  }
}

function bigintOf({ low, high, unsigned }: Long): bigint {
  const bits = (BigInt(high) << 32n) | BigInt(low >>> 0);
  return unsigned ? BigInt.asUintN(64, bits) : BigInt.asIntN(64, bits);
}
