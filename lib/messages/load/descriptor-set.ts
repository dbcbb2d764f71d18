/** Reads sets of descriptors, which `protoc -o FILE.pb` writes. */
import type { Message, Root } from 'protobufjs';
import type { IFileDescriptorProto, IFileDescriptorSet } from 'protobufjs/ext/descriptor';

import { TFRecordError, thrownText } from '../../base';
import { checkWire } from '../../example';
import { addBuiltIn, builtIn } from './built-in';
import { checkTypes } from './check-types';
import { descriptors, protobuf } from './protobuf';
import { readSmall, specFault } from './small-file';

/** Returns the types of the set in `file`. @throws TFRecordError with Node's code, or TFR_SPEC */
export async function loadDescriptorSet(file: string): Promise<Root> {
  const { FileDescriptorSet } = descriptors();
  const bytes = await readSmall(file);
  try {
    checkWire(FileDescriptorSet, bytes, 'TFR_SPEC');
    const set = FileDescriptorSet.decode(bytes) as Message<IFileDescriptorSet> & { file: IFileDescriptorProto[] };
    set.file.push(...missingFiles(set.file, file));
    const root = protobuf().Root.fromDescriptor(set);
    root.resolveAll();
    checkTypes(root, file);
    return root;
  } catch (cause) {
    if (cause instanceof TFRecordError && cause.file !== undefined) throw cause;
    throw specFault(file, `it is not a set of descriptors: ${thrownText(cause)}`, cause);
  }
}

/** Returns the built-in files that `files` import, and that are not among them. */
function missingFiles(files: readonly IFileDescriptorProto[], set: string): IFileDescriptorProto[] {
  const names = new Set(files.map(({ name }) => name));
  const root = new (protobuf().Root)();
  for (const name of new Set(files.flatMap(({ dependency }) => (dependency as readonly string[] | undefined) ?? []))) {
    if (names.has(name)) continue;
    const content = builtIn(name);
    if (content === undefined) {
      throw new TFRecordError(
        'TFR_SPEC',
        `${set} lacks ${name}, which its files import: protoc --include_imports adds it`,
        { file: set, expected: name, found: 'no such file in the set' },
      );
    }
    addBuiltIn(root, content);
  }
  root.resolveAll();
  return root.toDescriptor('proto3').file ?? [];
}
