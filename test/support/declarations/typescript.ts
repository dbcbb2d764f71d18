/** Reads declarations from TypeScript sources, in the form that Prettier gives them. */
import type { EnumValues } from './cpp';

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');
}

/** Reads `enum name`. */
export function tsEnum(text: string, name: string): EnumValues {
  const body = new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(withoutComments(text))?.[1];
  if (body === undefined) throw new Error(`no enum ${name}`);
  const values: Record<string, number> = {};
  let next = 0;
  for (const [, value, given] of body.matchAll(/(\w+)(?: = (-?\d+))?,/g)) {
    if (given !== undefined) next = Number(given);
    values[value!] = next++;
  }
  return values;
}

/** Reads the strings of the type or array `name`. */
export function tsStrings(text: string, name: string): string[] {
  const body = new RegExp(`\\b(?:type|const) ${name}\\b[^=]*=([^;]*);`).exec(withoutComments(text))?.[1];
  if (body === undefined) throw new Error(`no strings ${name}`);
  return Array.from(body.matchAll(/'([^']*)'/g), ([, string]) => string!);
}

/** The text of an interface, without comments. */
function interfaceBody(text: string, name: string): string {
  const body = new RegExp(`interface ${name} \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(withoutComments(text))?.[1];
  if (body === undefined) throw new Error(`no interface ${name}`);
  return body;
}

/** Reads the names of the properties of an interface. */
export function tsProperties(text: string, name: string): string[] {
  return Array.from(interfaceBody(text, name).matchAll(/^ {2}readonly (\w+)\??:/gm), ([, property]) => property!);
}

/** Reads the functions of an interface, and the number of parameters of each. */
export function tsFunctions(text: string, name: string): Map<string, number> {
  const functions = new Map<string, number>();
  const body = interfaceBody(text, name);
  // A method, perhaps with type parameters, or a property that is a function.
  for (const match of body.matchAll(/^ {2}(?:readonly )?(\w+)(?:<[^>]*>)?(?:: \()?\(/gm)) {
    functions.set(match[1]!, parametersFrom(body.slice(match.index + match[0].length)));
  }
  return functions;
}

/** The number of parameters in the list with which `text` begins, up to its closing parenthesis. */
function parametersFrom(text: string): number {
  let depth = 0;
  let count = 0;
  let any = false;
  for (const character of text.replaceAll('=>', '')) {
    if (character === ')' && depth === 0) break;
    if ('([{<'.includes(character)) depth++;
    if (')]}>'.includes(character)) depth--;
    if (character === ',' && depth === 0) {
      count++;
      any = false;
    } else if (character.trim() !== '') any = true;
  }
  return any ? count + 1 : count;
}
