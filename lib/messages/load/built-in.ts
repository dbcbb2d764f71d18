/** The files `google/protobuf/*.proto`, which every program of protobuf has. */
import type { AnyNestedObject, INamespace, Root } from 'protobufjs';

import { parsedFile, protobuf } from './protobuf';

const FOLDER = 'google/protobuf/';

/** Files that protobufjs has beside its common ones, each with what it imports. */
const OTHERS: readonly string[] = ['api', 'descriptor', 'source_context', 'type'];

/** Returns the content of the file that is imported as `name`; undefined unless it is built in. */
export function builtIn(name: string): INamespace | undefined {
  if (!name.startsWith(FOLDER) || !name.endsWith('.proto')) return undefined;
  const common = protobuf().common.get(name);
  if (common !== null) return common;
  const file = name.slice(FOLDER.length, -'.proto'.length);
  return OTHERS.includes(file) ? (parsedFile(file) as INamespace) : undefined;
}

/** Adds the messages of a built-in file to `root`, except those that it has: several files contain the same. */
export function addBuiltIn(root: Root, content: INamespace): void {
  const google = content.nested?.['google'] as INamespace | undefined;
  const { nested = {} } = (google?.nested?.['protobuf'] ?? {}) as INamespace;
  for (const [name, message] of Object.entries<AnyNestedObject>(nested)) {
    if (root.lookup(['google', 'protobuf', name]) !== null) continue;
    root.addJSON({ google: { nested: { protobuf: { nested: { [name]: inCamelCase(message) } } } } });
  }
}

/** Gives fields the names that they have in other files. */
function inCamelCase(message: AnyNestedObject): AnyNestedObject {
  if (!('fields' in message)) return message;
  const fields = Object.entries(message.fields).map(([protoName, field]) => {
    const name = protobuf().util.jsonName(protoName);
    return [name, name === protoName ? field : { ...field, protoName }] as const;
  });
  return { ...message, fields: Object.fromEntries(fields) };
}
