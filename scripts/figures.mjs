// Prints figures of the structure of lib/, to compare a change with what was there before.
//
//   node scripts/figures.mjs [FOLDER] [--list TEXT]
//
// FOLDER is a clone of this repository with its packages installed. Default: this one. Each line says what is counted;
// `--list TEXT` prints the places of the figures whose names have that text.

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';

import { circlesOf, importGraph } from './eslint/circles.mjs';

const { values, positionals } = parseArgs({ options: { list: { type: 'string' } }, allowPositionals: true });
const ROOT = path.resolve(positionals[0] ?? fileURLToPath(new URL('..', import.meta.url)));
const LIB = path.join(ROOT, 'lib');

const config = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), ts.sys.readFile).config;
const { fileNames, options } = ts.parseJsonConfigFileContent({ ...config, include: ['lib'] }, ts.sys, ROOT);
const program = ts.createProgram(fileNames, { ...options, noEmit: true });
const checker = program.getTypeChecker();
const files = program.getSourceFiles().filter(({ fileName }) => {
  return fileName.startsWith(`${LIB}/`) && !/\.generated\.|\.d\.ts$/.test(fileName);
});
const nameOf = (file) => path.relative(ROOT, file.fileName ?? file);
const lines = (file) => file.text.trimEnd().split('\n').length;

/** Calls `visit(node, file)` for every node of every file. */
function eachNode(visit) {
  for (const file of files) {
    const walk = (node) => {
      visit(node, file);
      ts.forEachChild(node, walk);
    };
    walk(file);
  }
}

/** Returns the places of all nodes that `test` accepts, as `file:line`. */
function places(test) {
  const found = [];
  eachNode((node, file) => {
    if (!test(node, file)) return;
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    found.push(`${nameOf(file)}:${line + 1}`);
  });
  return found;
}

const distinctFiles = (found) => [...new Set(found.map((place) => place.split(':')[0]))];

function exportsOf(name) {
  const file = program.getSourceFile(path.join(LIB, name));
  if (file === undefined) return [];
  return checker.getExportsOfModule(checker.getSymbolAtLocation(file)).map(({ name: one }) => one);
}

function folders() {
  const counts = new Map();
  for (const file of files) {
    const folder = path.dirname(nameOf(file));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 30).map(([folder, count]) => `${folder} (${count})`);
}

const binding = program.getSourceFile(path.join(LIB, 'native', 'binding.ts'));
const isBinding = (node) => {
  const declared = checker.getSymbolAtLocation(node)?.declarations ?? [];
  return declared.some((one) => one.getSourceFile() === binding);
};
const opens = [];
ts.forEachChild(binding, function walk(node) {
  if (ts.isMethodSignature(node) && node.parameters.length >= 6) {
    opens.push(`${node.name.getText()} (${node.parameters.length})`);
  }
  ts.forEachChild(node, walk);
});

const STATS = /^(?:f|l)?stat(?:Sync)?$/;
const TENSORS = /^(?:DenseTensor|RaggedTensor|SparseTensor|BytesTensor)$/;
const KINDS = ['int64', 'float', 'bytes'];
const isText = (node, texts) => ts.isStringLiteralLike(node) && texts.includes(node.text);
const publicNames = new Set(exportsOf('index.ts'));
const recordNames = exportsOf('record/index.ts');
const found = circlesOf(importGraph(ROOT));

/** Each figure: its name, its value, its places. */
const FIGURES = [
  ['files of lib', files.map(nameOf)],
  ['lines of lib', [], files.reduce((sum, file) => sum + lines(file), 0)],
  ['names behind the door of lib/record', recordNames],
  ['of these, public', recordNames.filter((name) => publicNames.has(name))],
  [
    'files that call a native fill',
    distinctFiles(
      places(
        (node) =>
          ts.isCallExpression(node) &&
          ts.isPropertyAccessExpression(node.expression) &&
          /Fill(?:Sync)?$/.test(node.expression.name.text) &&
          isBinding(node.expression.name),
      ),
    ),
  ],
  ['functions of the binding with six arguments or more', opens],
  [
    'files that look at a modification time',
    distinctFiles(places((node) => ts.isPropertyAccessExpression(node) && /^mtime(?:Ms|Ns)?$/.test(node.name.text))),
  ],
  [
    'calls of stat, lstat, fstat',
    places((node) => {
      if (!ts.isCallExpression(node)) return false;
      const { expression } = node;
      return STATS.test(ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText());
    }),
  ],
  [
    'files that name a codec (a text gzip, zlib or .gz)',
    distinctFiles(places((node) => isText(node, ['gzip', 'zlib', '.gz']) && !ts.isLiteralTypeNode(node.parent))),
  ],
  ['circles of imports', found.map((group) => `${group.length}: ${group.join(' ')}`)],
  ['files of the largest circle', found[0] ?? []],
  ['files under 30 lines', files.filter((file) => lines(file) < 30).map(nameOf)],
  ['files over 350 lines', files.filter((file) => lines(file) > 350).map((file) => `${nameOf(file)} (${lines(file)})`)],
  ['folders of more than 30 files', folders()],
  ['casts (as, but not as const)', places((node) => ts.isAsExpression(node) && node.type.getText() !== 'const')],
  [
    'comparisons with a feature kind outside kinds/',
    places(
      (node, file) =>
        ts.isBinaryExpression(node) &&
        /^[!=]==$/.test(node.operatorToken.getText()) &&
        [node.left, node.right].some((side) => isText(side, KINDS)) &&
        /^lib\/example\/(?!kinds\/)/.test(nameOf(file)),
    ),
  ],
  [
    'instanceof a tensor outside tensor/',
    places(
      (node, file) =>
        ts.isBinaryExpression(node) &&
        node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword &&
        TENSORS.test(node.right.getText()) &&
        !nameOf(file).startsWith('lib/tensor/'),
    ),
  ],
  [
    'regular expressions over a message',
    places(
      (node) =>
        ts.isCallExpression(node) &&
        ts.isPropertyAccessExpression(node.expression) &&
        /^(?:test|exec|match|replace|includes|startsWith|endsWith)$/.test(node.expression.name.text) &&
        [node.expression.expression, ...node.arguments].some((one) => /\bmessage$/.test(one.getText())),
    ),
  ],
];

if (values.list === undefined) {
  for (const [name, all, value = all.length] of FIGURES) console.log(`${String(value).padStart(6)}  ${name}`);
} else {
  const wanted = FIGURES.filter(([name]) => name.includes(values.list));
  for (const [name, all, value = all.length] of wanted) console.log(`${name}: ${value}\n  ${all.join('\n  ')}`);
}
