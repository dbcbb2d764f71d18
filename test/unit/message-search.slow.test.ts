/** No code of lib finds out what happened by searching the text of a message: errors have fields, and messages parts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

const LIB = join(__dirname, '..', '..', 'lib');

/** Files that read messages of other packages, which say what happened nowhere else. */
const FOREIGN: ReadonlySet<string> = new Set([
  // DuckDB has neither codes nor fields.
  'sql/query-errors.ts',
  // Google's client has no code for credentials that are missing.
  'io/clouds/gcs-store.ts',
  // Node names a missing package only in the message.
  'base/peer.ts',
  // Its messages are those of protobuf.
  'messages/print/message-printer.ts',
]);

const SEARCHES =
  /^(?:test|exec|match|matchAll|replace|replaceAll|includes|startsWith|endsWith|indexOf|lastIndexOf|search|split)$/;

/** The lines of `text`, a source, that search a message: one called so, or a variable that was made of one. */
function searchesIn(text: string): string[] {
  const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  const names = new Set(['message']);
  const isMessage = (node: ts.Node): boolean => {
    if (ts.isIdentifier(node)) return names.has(node.text);
    if (ts.isPropertyAccessExpression(node)) return node.name.text === 'message' || isMessage(node.expression);
    if (ts.isElementAccessExpression(node)) return isMessage(node.expression);
    if (ts.isCallExpression(node)) return isMessage(node.expression) || node.arguments.some(isMessage);
    if (ts.isObjectLiteralExpression(node) || ts.isFunctionLike(node)) return false;
    return ts.forEachChild(node, (child) => isMessage(child) || undefined) === true;
  };
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined && isText(node.initializer, isMessage)) {
      const bound = ts.isIdentifier(node.name)
        ? [node.name]
        : ts.isArrayBindingPattern(node.name)
          ? boundIn(node.name)
          : [];
      for (const name of bound) names.add(name.text);
    }
    if (ts.isBindingElement(node) && node.propertyName?.getText() === 'message' && ts.isIdentifier(node.name)) {
      names.add(node.name.text);
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression, name } = node.expression;
      if (
        SEARCHES.test(name.text) &&
        (isMessage(expression) || (/^(?:test|exec)$/.test(name.text) && node.arguments.some(isMessage)))
      ) {
        found.push(node.getText());
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** True if a variable with this value is text of a message, not something that is made with its help. */
function isText(value: ts.Expression, isMessage: (node: ts.Node) => boolean): boolean {
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value) || ts.isNewExpression(value)) return false;
  return isMessage(value);
}

function boundIn(pattern: ts.ArrayBindingPattern): ts.Identifier[] {
  return pattern.elements.flatMap((one) => (ts.isBindingElement(one) && ts.isIdentifier(one.name) ? [one.name] : []));
}

test.each([
  ['error.message.replace(/a/, "b")', 1],
  ['/a/.test(error.message)', 1],
  ['String((error as Error).message).split("\\n")', 1],
  ['const { message: text } = error; text.includes("a")', 1],
  ['const text = error.message ?? ""; if (text.startsWith("a")) throw error', 1],
  ['const [first] = error.message.split("a"); first.endsWith("b")', 2],
  ['const message = `a ${name}`; throw new TFRecordError("TFR_SPEC", message, {})', 0],
  ['const text = `a: ${error.message}`; print(text)', 0],
  ['/a/.test(name)', 0],
])('%s: %d searches', (text, count) => {
  expect(searchesIn(text)).toHaveLength(count);
});

test('lib searches no message', () => {
  const names = readdirSync(LIB, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.includes('.generated.') && !FOREIGN.has(name.replaceAll('\\', '/')),
  );
  const found = names.flatMap((name) => {
    const text = readFileSync(join(LIB, name), 'utf8');
    return text.includes('message') ? searchesIn(text).map((place) => `${name}: ${place}`) : [];
  });
  expect(found).toEqual([]);
});
