/** Proto3 JSON, by protobufjs, from JSON whose integers are exact. */
import type { Type } from 'protobufjs/light';

import { exactJson } from './exact-json';
import { protoJson } from './lazy';
import { parseJson } from './parse-json';
import { JSON_VALUES, toProperties } from './properties';

/** A value of JSON. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** The message of JSON text or of a value, as protobufjs makes it. @throws Error when it is none. */
export function fromJson(type: Type, json: unknown): object {
  return protoJson().fromJson(type, exactJson(type, typeof json === 'string' ? parseJson(json) : json));
}

export function toJson(type: Type, message: unknown): JsonValue {
  return protoJson().toJson(type, toProperties(type, message, JSON_VALUES)) as JsonValue;
}
