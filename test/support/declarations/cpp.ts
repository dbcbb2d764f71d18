/** Reads declarations from C++ sources, in the form that clang-format gives them. */

/** A value of an enum, by its name. */
export type EnumValues = Readonly<Record<string, number>>;

export interface CppFunction {
  readonly name: string;
  readonly result: string;
  readonly parameters: number;
}

function withoutComments(text: string): string {
  return text.replace(/\/\/.*$/gm, '');
}

/** The number of parameters in a list without parentheses. */
function countOf(list: string): number {
  return list.trim() === '' ? 0 : list.split(',').length;
}

/** Reads `enum class name`, and names its values without their `k`. */
export function cppEnum(text: string, name: string): EnumValues {
  const body = new RegExp(`enum (?:class )?${name}\\b[^{;]*\\{([^}]*)\\}`).exec(withoutComments(text))?.[1];
  if (body === undefined) throw new Error(`no enum ${name}`);
  const values: Record<string, number> = {};
  let next = 0;
  for (const [, value, given] of body.matchAll(/\bk(\w+)(?:\s*=\s*(-?\d+))?/g)) {
    if (given !== undefined) next = Number(given);
    values[value!] = next++;
  }
  return values;
}

/** Reads the strings of the array or function `name`. */
export function cppStrings(text: string, name: string): string[] {
  const body = new RegExp(`\\b${name}\\b[^;{]*\\{([\\s\\S]*?)\\n?\\}`).exec(withoutComments(text))?.[1];
  if (body === undefined) throw new Error(`no strings ${name}`);
  return Array.from(body.matchAll(/"([^"]*)"/g), ([, string]) => string!);
}

/** Reads the names of the members of a struct, in order. */
export function cppMembers(text: string, name: string): string[] {
  const body = new RegExp(`struct ${name} \\{([\\s\\S]*?)\\n\\};`).exec(withoutComments(text))?.[1];
  if (body === undefined) throw new Error(`no struct ${name}`);
  return Array.from(body.matchAll(/\b(\w+)(?:\[\d+\])? =/g), ([, member]) => member!);
}

/** Reads the functions that follow `macro(name)`. */
export function markedFunctions(text: string, macro: string): Map<string, CppFunction> {
  const functions = new Map<string, CppFunction>();
  const pattern = new RegExp(
    `^${macro}\\((\\w+)\\)\\s*(?:\\[\\[\\w+\\]\\])?([\\w:<>*&\\s]*?)\\b(\\w+)\\(([^)]*)\\)`,
    'gm',
  );
  for (const [, marked, result, name, list] of withoutComments(text).matchAll(pattern)) {
    functions.set(marked!, { name: name!, result: result!.trim(), parameters: countOf(list!) });
  }
  return functions;
}

/** One C++ file of the addon: the bodies of its functions, by name, and the functions that it exports. */
interface AddonFile {
  readonly bodies: ReadonlyMap<string, string>;
  /** The public name of each exported function, and its name in the file. */
  readonly exported: ReadonlyMap<string, string>;
}

const FUNCTION = /^(?:[\w:<>*& ]+\s)?([\w:]+)\([^;{]*\)[^;{]*\{\n([\s\S]*?)^\}/gm;
/** A call of a function, or of a constructor, that gets the arguments of JavaScript, and perhaps the index of the first. */
const PASSED_ON = /(\w+)(?:<[^<>()]*>|>)?(?:\s+(\w+))?\(info(?:,\s*(\d+))?[,)]/g;

function addonFile(given: string): AddonFile {
  const text = withoutComments(given);
  const bodies = new Map<string, string>();
  for (const [, name, body] of text.matchAll(FUNCTION)) bodies.set(name!.replace(/^.*::/, ''), body!);
  const exported = new Map<string, string>();
  for (const [, name, shown] of text.matchAll(/\bExport<(\w+)>\(\s*env,\s*"(\w+)"\)/g)) exported.set(shown!, name!);
  return { bodies, exported };
}

/**
 * Returns the number of arguments that each function of the addon reads: one more than the largest index. Functions to
 * which it passes its arguments on are looked up in the same file, then in all.
 */
export function addonFunctions(texts: readonly string[]): Map<string, number> {
  const files = texts.map(addonFile);
  const found = new Map<string, number>();

  function read(body: string, first: number, file: AddonFile): number {
    let count = 0;
    for (const [, index] of body.matchAll(/\binfo\[(\d+)\]/g)) count = Math.max(count, Number(index) + 1);
    for (const [, more] of body.matchAll(/\binfo\[at(?: \+ (\d+))?\]/g)) {
      count = Math.max(count, first + Number(more ?? 0) + 1);
    }
    for (const [, type, variable, at] of body.matchAll(PASSED_ON)) {
      const called = [type, variable].flatMap((name) => {
        const other = [file, ...files].find(({ bodies }) => bodies.has(name!));
        return other === undefined ? [] : [read(other.bodies.get(name!)!, Number(at ?? 0), other)];
      });
      count = Math.max(count, ...called);
    }
    return count;
  }

  for (const file of files) {
    for (const [shown, name] of file.exported) {
      const body = file.bodies.get(name);
      if (body === undefined) throw new Error(`no body of ${name}, which is exported as ${shown}`);
      found.set(shown, read(body, 0, file));
    }
  }
  return found;
}

/** Reads the names of the properties that the function `name` gives to its result. */
export function addonFields(text: string, name: string): string[] {
  const found = new RegExp(`^( *)[\\w:<>*& ]*\\b${name}\\([^;{]*\\)[^;{]*\\{\\n([\\s\\S]*?)^\\1\\}`, 'm');
  const body = found.exec(withoutComments(text))?.[2];
  if (body === undefined) throw new Error(`no function ${name}`);
  return Array.from(body.matchAll(/\bField\(\s*"(\w+)"/g), ([, field]) => field!);
}
