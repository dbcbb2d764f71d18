/** Finds the values of members in messages, by their paths, for conditions. */
import type { Field, Type } from 'protobufjs';

import { isList, newRecord } from '../base';
import { enumOf, is64, isMap, isMessage, type ConditionValues, type MessageType } from '../example';
import { reflectionOf } from './message-types';

type Plain = Readonly<Record<string, unknown>>;
type Kind = ConditionValues['kind'] | 'message';

/** The values of members, in the form that a `Condition` takes. */
interface FoundValues {
  readonly context: Readonly<Record<string, ConditionValues | undefined>>;
  readonly featureLists: Readonly<Record<string, never>>;
}

/** Finds the values at some paths, such as `camera.labels.id`. */
export class MessageValues {
  /** The names of the message's own members. */
  readonly members: readonly string[];
  readonly #message: MessageType<object>;
  readonly #type: Type;
  readonly #paths: readonly (readonly [path: string, parts: readonly string[]])[];

  private constructor(message: MessageType<object>, type: Type, paths: Iterable<string>) {
    this.#message = message;
    this.#type = type;
    this.#paths = [...paths].map((path) => [path, path.split('.')] as const);
    this.members = type.fieldsArray.map((field) => nameOf(field.resolve()));
  }

  /** Returns what finds the values at `paths`; undefined unless `message` is a type of `MessageTypes`. */
  static of(message: MessageType<object>, paths: Iterable<string>): MessageValues | undefined {
    const type = reflectionOf(message);
    return type === undefined ? undefined : new MessageValues(message, type, paths);
  }

  /** Decodes a record, and returns the values at each path; none for members that are absent. @throws TFRecordError */
  find(record: Uint8Array): FoundValues {
    const message = this.#message.decode(record) as Plain;
    const context = newRecord<ConditionValues | undefined>();
    for (const [path, parts] of this.#paths) {
      const values: unknown[] = [];
      let found: Kind | undefined;
      collect(this.#type, message, parts, (kind, value) => {
        found = kind;
        if (kind !== 'message') values.push(value);
      });
      // A message has no value that could be compared: conditions only see that it is there.
      if (found !== undefined)
        context[path] = { kind: found === 'message' ? 'bytes' : found, values } as ConditionValues;
    }
    return { context, featureLists: {} };
  }
}

type Take = (kind: Kind, value: unknown) => void;

function collect(type: Type, message: Plain, [part = '', ...rest]: readonly string[], take: Take): void {
  const field = type.fieldsArray.find((each) => [each.name, each.protoName, each.jsonName].includes(part));
  const value = field === undefined ? undefined : message[field.name];
  if (field === undefined || value === undefined) return;
  if (isMap(field)) {
    const map = value as Plain;
    const [key, ...inner] = rest;
    if (key === undefined) Object.keys(map).forEach((each) => take('bytes', Buffer.from(each)));
    else if (Object.hasOwn(map, key)) collectValue(field, map[key], inner, take);
  } else if (isList(value) && field.repeated) value.forEach((each) => collectValue(field, each, rest, take));
  else collectValue(field, value, rest, take);
}

function collectValue(field: Field, value: unknown, rest: readonly string[], take: Take): void {
  if (isMessage(field)) {
    if (rest.length === 0) take('message', undefined);
    else collect(field.resolvedType, value as Plain, rest, take);
    return;
  }
  if (rest.length > 0) return;
  const names = enumOf(field);
  if (names !== undefined) {
    const name: string | undefined = names.valuesById[value as number];
    take('bytes', Buffer.from(name ?? String(value)));
  } else if (field.type === 'double' || field.type === 'float') take(field.type, value);
  else if (field.type === 'bytes') take('bytes', value);
  else if (field.type === 'string' || field.type === 'bool') take('bytes', Buffer.from(String(value)));
  else take('int64', is64(field.type) ? value : BigInt(value as number));
}

function nameOf({ name, protoName }: Field): string {
  return protoName ?? name;
}
