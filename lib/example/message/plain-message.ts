/** Messages as protobufjs makes them, turned into plain objects with every member. */
import { newRecord, isList, isObject } from '../../base';
import type { Enum, Field, Type } from 'protobufjs/light';

/** An int64 as protobufjs gives it. */
interface Long {
  readonly low: number;
  readonly high: number;
  readonly unsigned: boolean;
}

/** The plain object of a message of `type`, static or reflected. */
export function toPlain(type: Type, message: object): Record<string, unknown> {
  const source = message as Readonly<Record<string, unknown>>;
  const plain: Record<string, unknown> = {};
  for (const field of type.fieldsArray) {
    const { name } = field.resolve();
    const value = Object.hasOwn(source, name) ? source[name] : undefined;
    if (field.map) {
      plain[name] = mapToPlain(field, isObject(value) ? value : {});
    } else if (field.repeated) {
      plain[name] = (isList(value) ? value : []).map((item) => toPlainValue(field, item));
    } else if (field.partOf) {
      // Static code names the member that counts, and keeps those that came before it.
      const counts = source[field.partOf.name] ?? name;
      if (value !== undefined && value !== null && counts === name) plain[name] = toPlainValue(field, value);
    } else if (value !== undefined && value !== null) {
      plain[name] = toPlainValue(field, value);
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

/** Protobuf's default of a field that is no message. */
export function defaultOf(field: Field): unknown {
  switch (field.type) {
    case 'int64':
    case 'uint64':
      return 0n;
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

function mapToPlain(field: Field, map: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = newRecord<unknown>();
  for (const name of Object.keys(map)) plain[name] = toPlainValue(field, map[name]);
  return plain;
}

function toPlainValue(field: Field, value: unknown): unknown {
  if (isMessage(field)) return toPlain(field.resolvedType, value as object);
  switch (field.type) {
    case 'int64':
    case 'uint64':
      return typeof value === 'object' ? bigintOf(value as Long) : BigInt(value as number);
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
