/** Checks definitions for what the library of protobuf accepts, but cannot read, write or print right. */
import type { Enum, Field, ReflectionObject, Root, Type } from 'protobufjs';

import { isMap, isMessage, jsonFormOf } from '../../example';
import { builtIn } from './built-in';
import { protobuf } from './protobuf';
import { specFault } from './small-file';

const MAX_NUMBER = 2 ** 29 - 1;
/** Maximum number of fields of a message: the code for them grows with the square. */
const MAX_FIELDS = 5000;
const NAME = /^[A-Za-z_]\w*$/;
/** The files that define the messages with a JSON form of their own. */
const KNOWN_FILES = ['any', 'duration', 'field_mask', 'struct', 'timestamp', 'wrappers'];

/** Checks all types of `root`, which must be resolved. @throws TFRecordError TFR_SPEC, with `file` */
export function checkTypes(root: Root, file: string): void {
  const { Enum, Namespace, Type } = protobuf();
  const left: ReflectionObject[] = [...root.nestedArray];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const why = next instanceof Type ? typeFault(next) : next instanceof Enum ? enumFault(next) : nameFault(next);
    if (why !== undefined) throw specFault(file, `${next.fullName.slice(1)}: ${why}`);
    if (next instanceof Namespace) left.push(...next.nestedArray);
  }
}

function typeFault(type: Type): string | undefined {
  const fields = type.fieldsArray;
  if (fields.length > MAX_FIELDS) return `it has ${fields.length} fields, more than ${MAX_FIELDS}`;
  const names = new Set<string>();
  for (const field of fields) {
    const name = nameOf(field);
    if (!Number.isInteger(field.id) || field.id < 1 || field.id > MAX_NUMBER)
      return `the number of ${name} is ${field.id}: expected 1 to ${MAX_NUMBER}`;
    if (field.declaringField !== null) continue;
    if (!NAME.test(name)) return badName(name);
    const json = field.jsonName ?? name;
    if (names.has(json)) return `two fields have the name ${JSON.stringify(json)} in JSON`;
    names.add(json);
  }
  const bad = type.oneofsArray.find(({ name }) => !NAME.test(name));
  if (bad !== undefined) return badName(bad.name);
  return nameFault(type) ?? shapeFault(type);
}

function enumFault(type: Enum): string | undefined {
  const bad = Object.keys(type.values).find((name) => !NAME.test(name));
  return bad === undefined ? nameFault(type) : badName(bad);
}

function nameFault({ name }: ReflectionObject): string | undefined {
  // The member of an extension has the full name of its field.
  return name.split('.').every((part, i) => NAME.test(part) || (part === '' && i === 0)) ? undefined : badName(name);
}

function badName(name: string): string {
  return `${JSON.stringify(name)} is not a name of protobuf`;
}

let shapes: ReadonlyMap<string, string> | undefined;

/** A message with a JSON form of its own must have the fields that this form is made of. */
function shapeFault(type: Type): string | undefined {
  if (jsonFormOf(type) === 'members') return undefined;
  shapes ??= knownShapes();
  return shapes.get(type.fullName) === shapeOf(type) ? undefined : 'it has other fields than the message of this name';
}

function knownShapes(): ReadonlyMap<string, string> {
  const { Root } = protobuf();
  const shapes = new Map<string, string>();
  for (const name of KNOWN_FILES) {
    const root = Root.fromJSON(builtIn(`google/protobuf/${name}.proto`)!);
    root.resolveAll();
    for (const type of typesOf(root)) shapes.set(type.fullName, shapeOf(type));
  }
  return shapes;
}

function typesOf(root: Root): readonly Type[] {
  const { Namespace, Type } = protobuf();
  const google = root.lookup('google.protobuf');
  return google instanceof Namespace ? google.nestedArray.filter((each) => each instanceof Type) : [];
}

function shapeOf(type: Type): string {
  const fields = type.fieldsArray.map((field) => {
    const key = isMap(field) ? field.keyType : '';
    const value = isMessage(field) ? field.resolvedType.fullName : field.type.replace(/^.*\./, '');
    return [field.id, nameOf(field), key, field.repeated, value, field.partOf?.name].join(' ');
  });
  return fields.sort().join();
}

function nameOf(field: Field): string {
  const { protoName, name } = field.resolve();
  return protoName ?? name;
}
