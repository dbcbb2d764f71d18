/* eslint-disable @typescript-eslint/no-require-imports -- libraries that take longer to load than all of the package */
/**
 * Generated code and libraries, loaded when they are first used: reading records, parsing and encoding do without them.
 */
import type { Field, INamespace, NamespaceBase, Type } from 'protobufjs/light';

import type { tensorflow } from './messages.generated';

type Static = typeof tensorflow;
let loaded: Static | undefined;
let reflected: ((name: string) => Type) | undefined;

/** The static code of the messages. */
export function messages(): Static {
  loaded ??= (require('./messages.generated') as typeof import('./messages.generated')).tensorflow;
  return loaded;
}

/** The fields of the message `name` (`Example`, `Summary.Value`), for the JSON and text forms. */
export function reflectedType(name: string): Type {
  reflected ??= reflectedTypes(require('./descriptor.generated') as INamespace, 'tensorflow');
  return reflected(name);
}

export function protoJson(): typeof import('protobufjs/ext/protojson') {
  return require('protobufjs/ext/protojson');
}

export function textFormat(): typeof import('protobufjs/ext/textformat') {
  return require('protobufjs/ext/textformat');
}

export function losslessJson(): typeof import('lossless-json') {
  return require('lossless-json');
}

/** protobufjs leaves -0 out of JSON, as if it were the default; we leave out defaults ourselves. */
export function keepZeroes(field: Field): void {
  if ((field.type !== 'double' && field.type !== 'float') || field.hasPresence) return;
  Object.defineProperty(field, 'hasPresence', { value: true });
}

/** Returns a function that finds the messages of the package `name`, of which `descriptor` has all fields. */
export function reflectedTypes(descriptor: INamespace, name: string): (type: string) => Type {
  const { Message, Root, Type } = require('protobufjs/light');
  const root = Root.fromJSON(descriptor);
  root.resolveAll();
  const prepare = (namespace: NamespaceBase): void => {
    for (const nested of namespace.nestedArray) {
      // Without a constructor of ours protobufjs would generate one with `eval`.
      if (nested instanceof Type) {
        nested.ctor = class extends Message<object> {};
        nested.fieldsArray.forEach(keepZeroes);
      }
      if ('nestedArray' in nested) prepare(nested);
    }
  };
  prepare(root);
  return (type) => root.lookupType(`${name}.${type}`);
}
