/* eslint-disable @typescript-eslint/no-require-imports -- libraries that most programs do not need */
/** The reflection of protobufjs, loaded when it is first used. Its code generator needs `eval`, so it is for Node alone. */

export function protobuf(): typeof import('protobufjs') {
  return require('protobufjs') as typeof import('protobufjs');
}

/** Also adds descriptors to the classes of {@link protobuf}. */
export function descriptors(): typeof import('protobufjs/ext/descriptor') {
  return require('protobufjs/ext/descriptor') as typeof import('protobufjs/ext/descriptor');
}

/** Returns the parsed form of a file in the folder `google/protobuf` of protobufjs. */
export function parsedFile(name: string): unknown {
  return require(`protobufjs/google/protobuf/${name}.json`);
}
