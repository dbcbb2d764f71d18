/** Reads `.proto` files, and the files that they import. */
import { isUtf8 } from 'node:buffer';
import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { IParserResult, Root, Type } from 'protobufjs';

import { fromNodeError, TFRecordError, thrownText } from '../../base';
import { addBuiltIn, builtIn } from './built-in';
import { checkTypes } from './check-types';
import { protobuf } from './protobuf';
import { exists, readSmall, specFault } from './small-file';

/** Maximum number of files that import one another in a row. */
const MAX_IMPORTS = 100;

/**
 * Returns the types of `files` and of what they import. Imports are looked for in `roots`, then beside the importing file,
 * and in the folders above it.
 * @throws TFRecordError with Node's code for a file that is missing; TFR_SPEC, naming file and line, for any other fault
 */
export async function loadProtoFiles(files: readonly string[], roots: readonly string[]): Promise<Root> {
  const loader = new ProtoLoader(roots);
  for (const file of files) await loader.load(file);
  return loader.resolved(files.join(', '));
}

class ProtoLoader {
  readonly #root: Root = new (protobuf().Root)();
  readonly #roots: readonly string[];
  /** The real paths of the files that were read. */
  readonly #read = new Set<string>();

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  async load(file: string, depth = 0): Promise<void> {
    if (depth > MAX_IMPORTS) throw specFault(file, `it is imported by ${MAX_IMPORTS} files, one by another`);
    const at = await realPath(file);
    if (this.#read.has(at)) return;
    this.#read.add(at);
    const { imports = [], weakImports = [] } = this.#parse(file, textOf(await readSmall(file), file));
    for (const name of imports) {
      const content = builtIn(name);
      if (content === undefined)
        await this.load((await this.#find(name, file)) ?? this.#missing(name, file), depth + 1);
      else addBuiltIn(this.#root, content);
    }
    for (const name of weakImports) {
      const found = await this.#find(name, file);
      if (found !== undefined) await this.load(found, depth + 1);
    }
  }

  /** Resolves the names of all types. `shown`: the files, for errors. */
  resolved(shown: string): Root {
    try {
      nameGroups(this.#root);
      this.#root.resolveAll();
    } catch (cause) {
      throw specFault(shown, thrownText(cause), cause);
    }
    checkTypes(this.#root, shown);
    return this.#root;
  }

  #parse(file: string, text: string): IParserResult {
    try {
      return protobuf().parse(text, this.#root, { keepCase: false });
    } catch (cause) {
      const [, what, line] = /^(.*) \(line (\d+)\)$/s.exec(thrownText(cause)) ?? [];
      if (what === undefined) throw specFault(file, thrownText(cause), cause);
      const found = what.startsWith("illegal token 'null'") ? 'the file ends too early' : what;
      throw specFault(file, found, cause, Number(line));
    }
  }

  /** Returns the path of the file that `from` imports as `name`; undefined if there is none. */
  async #find(name: string, from: string): Promise<string | undefined> {
    for (const folder of this.#folders(from)) {
      const file = join(folder, name);
      if (await exists(file)) return file;
    }
    return undefined;
  }

  *#folders(from: string): Generator<string> {
    yield* this.#roots;
    const beside = dirname(from);
    yield beside;
    for (let below = resolve(beside), at = dirname(below); at !== below; below = at, at = dirname(at)) yield at;
  }

  #missing(name: string, from: string): never {
    const places = [...this.#roots, `${dirname(from)} and the folders above it`].join(', ');
    throw new TFRecordError('TFR_SPEC', `${from} imports ${name}, which is not in ${places}`, {
      file: from,
      expected: name,
      found: 'no such file',
    });
  }
}

async function realPath(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    throw fromNodeError(error, file, 'open');
  }
}

function textOf(bytes: Buffer, file: string): string {
  if (!isUtf8(bytes)) throw specFault(file, 'it is not UTF-8');
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** Calls `use` with each type below `namespace`. */
export function forEachType(namespace: Root['nestedArray'][number] | Root, use: (type: Type) => void): void {
  if (namespace instanceof protobuf().Type) use(namespace);
  if (namespace instanceof protobuf().Namespace) for (const nested of namespace.nestedArray) forEachType(nested, use);
}

/** `protobufjs` does not declare the member. */
type GroupType = Type & { readonly group?: boolean };

/** Gives the fields of groups the names that protobuf gives them, those of the groups in lower case. */
function nameGroups(root: Root): void {
  const groups: Type[] = [];
  forEachType(root, (type) => {
    if ((type as GroupType).group === true) groups.push(type);
  });
  for (const { name, parent } of groups) {
    const field = parent?.get(name[0]!.toLowerCase() + name.slice(1));
    if (!(field instanceof protobuf().Field) || field.type !== name) continue;
    parent!.remove(field);
    field.name = name.toLowerCase();
    parent!.add(field);
  }
}
