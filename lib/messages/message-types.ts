/** Types of protobuf messages that are known only when the program runs. */
import { inspect } from 'node:util';
import type { Root, Type } from 'protobufjs';

import {
  checkOptions,
  illegalConstructor,
  inspected,
  invalidArgType,
  invalidArgValue,
  isList,
  isUrl,
  pathOf,
  TFRecordError,
  type InspectArguments,
} from '../base';
import { JsonText, messageType, nearestHint, type JsonValue, type MessagePackage, type MessageType } from '../example';
import { loadDescriptorSet } from './load/descriptor-set';
import { prepare } from './load/prepare';
import { forEachType, loadProtoFiles } from './load/proto-files';
import { protobuf } from './load/protobuf';
import { MessagePrinter } from './print/message-printer';
import { servingDescriptor } from './serving/serving-types';

/** A message of a type that TypeScript does not know. */
export type PlainMessage = Record<string, unknown>;

/** Options of {@link loadMessageTypes}. Unknown names throw. */
export interface MessageTypesOptions {
  /**
   * Folders in which imports are looked for first, like `protoc -I`. Default: none; imports are looked for beside the
   * importing file, and in the folders above it.
   */
  roots?: string | URL | readonly (string | URL)[] | undefined;
}

/** Maximum number of names in an error. */
const MAX_NAMED = 20;
const GOOGLE = 'google.protobuf.';

let create: (files: string, types: ReadonlyMap<string, Type>) => MessageTypes;
const reflections = new WeakMap<object, Type>();

/**
 * The types of messages that {@link loadMessageTypes} found.
 *
 * @example
 * const { names } = await loadMessageTypes('label.proto');
 */
export class MessageTypes {
  /** The full names of all messages, such as `waymo.open_dataset.Frame`, in order; those of `google.protobuf` are left out. */
  readonly names: readonly string[];
  readonly #types: ReadonlyMap<string, Type>;
  readonly #files: string;
  readonly #made = new Map<string, MessageType<PlainMessage>>();

  static {
    create = (files, types) => new MessageTypes(files, types);
  }

  private constructor(files: string, types: ReadonlyMap<string, Type>) {
    const given: unknown = types;
    if (!(given instanceof Map)) throw illegalConstructor('loadMessageTypes()');
    this.#files = files;
    this.#types = types;
    this.names = [...types.keys()].filter((name) => !name.startsWith(GOOGLE)).sort();
  }

  /**
   * Returns the type of the message `name`: its full name, or the last parts of it, if no other message has these.
   *
   * Its messages are plain objects, as {@link MessageType} describes. Members have their names in camel case; an
   * extension is the member `.package.name`. Maps are objects, whose names are the keys. Optional members of proto2, and
   * those of proto3 that are marked so, are absent if the message does not have them.
   * @throws TypeError ERR_INVALID_ARG_VALUE, with the names that there are
   *
   * @example
   * const types = await loadMessageTypes('label.proto');
   * types.type<{ id: string }>('waymo.Label').decode(record).id;
   */
  type<T extends object = PlainMessage>(name: string): MessageType<T> {
    if (typeof name !== 'string') throw invalidArgType('name', 'a string', name);
    const full = this.#find(name);
    let made = this.#made.get(full);
    if (made === undefined) {
      made = dynamicType(full, this.#types.get(full)!);
      this.#made.set(full, made);
    }
    return made as MessageType<object> as MessageType<T>;
  }

  #find(name: string): string {
    const full = name.replace(/^\./, '');
    if (this.#types.has(full)) return full;
    const found = [...this.#types.keys()].filter((each) => each.endsWith(`.${full}`));
    const [only, other] = found;
    if (only !== undefined && other === undefined) return only;
    const names = other === undefined ? this.names : found;
    const hint = other === undefined ? nearestHint(full, namesAndEnds(this.names)) : '';
    throw invalidArgValue('name', `a message of ${this.#files}: ${namesText(names)}.${hint}`.replace(/\.$/, ''), name);
  }

  /** @internal */
  [inspect.custom](...args: InspectArguments): string {
    return inspected('MessageTypes', args, () => ({ names: this.names }));
  }
}

/** `names` in an error: the first of them, and the number of the others. */
export function namesText(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} others` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}

function namesAndEnds(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, name.slice(name.lastIndexOf('.') + 1)]);
}

/**
 * Loads the types of messages that files define: `.proto` files, or one set of descriptors (`protoc -o FILE.pb
 * --include_imports`). The files `google/protobuf/*.proto` are built in. Proto2, proto3 and editions.
 *
 * Node only: the types are compiled by a code generator, which needs `eval`.
 * @throws TFRecordError with Node's code for a file that is missing; TFR_SPEC for a missing import, a syntax error (with
 *   the line), an unknown type, or a file without messages.
 *
 * @example
 * const types = await loadMessageTypes('protos/dataset.proto', { roots: 'protos' });
 * for await (const frame of readMessages('segment-*.tfrecord', types.type('Frame'))) console.log(frame);
 */
export async function loadMessageTypes(
  files: string | URL | readonly (string | URL)[],
  options?: MessageTypesOptions,
): Promise<MessageTypes> {
  const { roots = [] } = checkOptions(options, ['roots']);
  const paths = pathsOf('files', files);
  if (paths.length === 0) throw invalidArgValue('files', 'at least one file', files);
  const folders = pathsOf('options.roots', roots);
  const isText = (path: string): boolean => path.toLowerCase().endsWith('.proto');
  const set = paths.find((path) => !isText(path));
  if (set !== undefined && paths.length > 1)
    throw invalidArgValue('files', '.proto files, or one set of descriptors', set);
  const root = set === undefined ? await loadProtoFiles(paths, folders) : await loadDescriptorSet(set);
  const shown = paths.join(', ');
  const types = create(shown, typesIn(root));
  if (types.names.length > 0) return types;
  throw new TFRecordError('TFR_SPEC', `${shown} defines no messages`, {
    file: paths[0],
    expected: 'definitions of protobuf messages',
    found: 'none',
  });
}

/** Returns the types of the messages that this package defines itself: those of TensorFlow Serving and TF-Ranking. */
export function builtInTypes(): MessageTypes {
  const root = protobuf().Root.fromJSON(servingDescriptor());
  root.resolveAll();
  return create('this package', typesIn(root));
}

function pathsOf(name: string, given: unknown): readonly string[] {
  const list = isList(given) ? given : [given];
  return list.map((path) => {
    if (typeof path !== 'string' && !isUrl(path)) throw invalidArgType(name, 'paths', path);
    return pathOf(path, name);
  });
}

function typesIn(root: Root): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>();
  forEachType(root, (type) => types.set(type.fullName.slice(1), type));
  return types;
}

function dynamicType(name: string, type: Type): MessageType<PlainMessage> {
  const reflected = (): Type => {
    prepare(type);
    return type;
  };
  const from: MessagePackage = {
    statics: () => ({ [name]: reflected() }),
    reflected,
    code: () => 'TFR_DECODE',
    json: jsonValueOf,
  };
  const made = messageType<PlainMessage>(name, from);
  reflections.set(made, type);
  return made;
}

/**
 * Returns the JSON of properties of `type`; -0 is the string "-0", because a number of JSON has no sign then, except in a
 * Value, where a string would be another value.
 */
function jsonValueOf(type: Type, properties: object): JsonValue {
  const out = new JsonText();
  new MessagePrinter({ full: true, decoded: false, minusZero: '"-0"' }).print(type, properties, out);
  return JSON.parse(out.toString()) as JsonValue;
}

/** The fields of a type of {@link MessageTypes}; undefined for any other value. */
export function reflectionOf(type: object): Type | undefined {
  const found = reflections.get(type);
  if (found !== undefined) prepare(found);
  return found;
}
