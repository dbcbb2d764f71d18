/**
 * The API reference in the package: its declarations keep the documentation of every public name, with all members and
 * examples, as it stands in the sources. Needs dist.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(__dirname, '../../..');

interface Target {
  readonly types: string;
}
type Door = string | Target | { readonly require: Target };

const { exports: doors } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, Door>>;
};

/** The declarations of the doors, relative to dist. */
const entries = Object.values(doors).flatMap((door) =>
  typeof door === 'string' ? [] : [relative('dist', 'require' in door ? door.require.types : door.types)],
);

/** Parses the files; no type is needed. */
function programOf(files: readonly string[]): ts.Program {
  return ts.createProgram(files, {
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    target: ts.ScriptTarget.ES2022,
    noLib: true,
    types: [],
  });
}

/** The comments of a declaration, however they are indented. */
function textOf(declaration: ts.Declaration): string {
  const comments = ts.getJSDocCommentsAndTags(declaration).map((comment) => comment.getText());
  return comments.join('\n').replace(/\n[ \t]*/g, '\n');
}

function isPublic(declaration: ts.Declaration): boolean {
  const name = ts.getNameOfDeclaration(declaration);
  const hidden = ts.ModifierFlags.Private;
  return (
    (name === undefined || !ts.isPrivateIdentifier(name)) && (ts.getCombinedModifierFlags(declaration) & hidden) === 0
  );
}

/** Returns the documentation of the public names of `files`, and of the members of classes and interfaces. */
function documentation(program: ts.Program, files: readonly string[]): Map<string, string> {
  const checker = program.getTypeChecker();
  const found = new Map<string, string>();
  const note = (name: string, symbol: ts.Symbol): void => {
    const declarations = (symbol.declarations ?? []).filter(isPublic);
    if (declarations.length > 0) found.set(name, declarations.map(textOf).filter(Boolean).join('\n'));
  };
  for (const file of files) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
    for (const exported of checker.getExportsOfModule(module)) {
      const alias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = alias ? checker.getAliasedSymbol(exported) : exported;
      note(exported.name, symbol);
      for (const table of [symbol.members, symbol.exports]) {
        table?.forEach((member) => note(`${exported.name}.${member.name}`, member));
      }
    }
  }
  return found;
}

const declared = entries.map((name) => join(root, 'dist', name));
const program = programOf(declared);

test('all declarations that the doors need are in the package', () => {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = JSON.parse(printed) as [{ readonly files: readonly { readonly path: string }[] }];
  const paths = new Set(packed.files.map(({ path }) => path));
  const needed = program
    .getSourceFiles()
    .map(({ fileName }) => relative(root, fileName))
    .filter((name) => name.startsWith('dist'));
  expect(needed.length).toBeGreaterThan(100);
  expect(needed.filter((name) => !paths.has(name))).toEqual([]);
});

test('every public name is documented there, as in the sources', () => {
  const found = documentation(program, declared);
  expect(found.size).toBeGreaterThan(500);
  expect([...found].filter(([name, text]) => !name.includes('.') && text === '').map(([name]) => name)).toEqual([]);
  const sources = entries.map((name) => join(root, 'lib', name.replace(/\.d\.m?ts$/, '.ts')));
  const expected = documentation(programOf(sources), sources);
  expect([...expected.values()].filter((text) => text.includes('@example')).length).toBeGreaterThan(50);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});
