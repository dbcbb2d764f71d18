/**
 * Writes the ESM entry of each door of the package: `index.mjs`, which re-exports the `index.js` beside it by name, and its
 * types. It requires the package by its name: in a bundle, that finds the package in node_modules, with its addon. The
 * names come from `index.d.ts` and are compared with the exports of the compiled door, so that both entries have the same
 * names. Nothing is loaded, so the addon need not be built.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

import { DOORS } from './doors.mjs';

const dist = new URL('../dist/', import.meta.url);
const compiled = new URL('../.cache/compiled/', import.meta.url);
const REQUIRE = `function load(name) {
  // CommonJS, into which bundlers put this code, has no import.meta.
  const require = createRequire(import.meta.url ?? __filename);
  try {
    return require(name);
  } catch (cause) {
    if (cause.code !== 'MODULE_NOT_FOUND' || !cause.message.includes(\`'\${name}'\`)) throw cause;
    const error = new Error(
      \`\${name} runs within a bundle, from which the installed package cannot be found. \` +
        'Mark "tfrecord-native" and its sub-paths ("tfrecord-native/convert") as external in your bundler, and keep the ' +
        'package in node_modules beside the bundle: docs/bundlers.md shows how.',
      { cause },
    );
    throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
  }
}`;

/** Doors whose package has one copy for `import` and one for `require`, and the function that is told which one to use. */
const PEERS = { 'adapters/arrow': { peer: 'apache-arrow', told: 'arrowBatches' } };

/** Returns code that hands over the copy for `import`. Without the package, calls of the door say what to install. */
function handOver({ peer, told }) {
  return `await import('${peer}').then(
  (copy) => door.${told}[Symbol.for('tfrecord-native.useCopy')](copy),
  () => undefined,
);
`;
}

const declarationOf = (folder) => new URL(`${folder}index.d.ts`, dist).pathname;
const pathOf = ({ folder }) => (folder === '' ? './' : `./${folder}/`);
const program = ts.createProgram(
  DOORS.map((door) => declarationOf(pathOf(door))),
  {
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    target: ts.ScriptTarget.ES2022,
    // The names of exports do not depend on the types of other packages.
    noLib: true,
    types: [],
  },
);
const checker = program.getTypeChecker();

/** Returns the names of the values, without types, that the `index.d.ts` in `folder` exports. */
function typedNames(folder) {
  const declaration = declarationOf(folder);
  const source = program.getSourceFile(declaration);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${declaration} is no module: run tsc -p tsconfig.build.json first`);
  return checker
    .getExportsOfModule(module)
    .filter((symbol) => {
      // `export { type Name }` exports a class without its value.
      if (symbol.declarations?.some(ts.isTypeOnlyExportDeclaration)) return false;
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return (target.flags & ts.SymbolFlags.Value) !== 0;
    })
    .map((symbol) => symbol.name)
    .sort();
}

/** Returns the names that the compiled door in `folder` exports, found by tsc's forms of exports. */
function compiledNames(folder) {
  const code = readFileSync(new URL(`${folder}index.js`, compiled), 'utf8');
  if (/__exportStar/.test(code)) throw new Error(`${folder}: index.ts must export by name, not with \`export *\``);
  const names = new Set();
  for (const [, name] of code.matchAll(/Object\.defineProperty\(exports, "(\w+)"/g)) names.add(name);
  for (const [, name] of code.matchAll(/^exports\.(\w+) = /gm)) names.add(name);
  names.delete('__esModule');
  return [...names].sort();
}

for (const door of DOORS) {
  const { name } = door;
  const folder = pathOf(door);
  const names = typedNames(folder);
  const defined = compiledNames(folder);
  if (names.join() !== defined.join()) {
    const lacking = (a, b) => a.filter((name) => !b.includes(name)).join(', ') || 'none';
    throw new Error(
      `${folder}index.d.ts and index.js differ: only typed: ${lacking(names, defined)}; only compiled: ${lacking(defined, names)}`,
    );
  }
  const lines = [
    "import { createRequire } from 'node:module';",
    '',
    REQUIRE,
    '',
    `const door = load('${name}');`,
    ...(PEERS[door.folder] === undefined ? [] : [handOver(PEERS[door.folder])]),
    `export const {\n  ${names.join(',\n  ')},\n} = door;`,
    '',
  ];
  const at = new URL(folder, dist);
  writeFileSync(new URL('index.mjs', at), lines.join('\n'));
  writeFileSync(new URL('index.d.mts', at), "export * from './index.js';\n");
}
