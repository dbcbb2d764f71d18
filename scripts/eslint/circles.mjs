/**
 * Circles of imports: groups of files of which each one needs all others. A part of such a group cannot be read, tested or
 * moved alone. Types count, and so do imports within functions.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Returns the files that each file of `lib` in `root` imports, exports from or requires, by their names from `root`. */
export function importGraph(root) {
  const config = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile).config;
  const { fileNames, options } = ts.parseJsonConfigFileContent({ ...config, include: ['lib'] }, ts.sys, root);
  const own = new Set(fileNames.filter((file) => file.startsWith(`${path.join(root, 'lib')}/`)));
  const nameOf = (file) => path.relative(root, file);
  const graph = new Map();
  for (const file of own) {
    const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
    const targets = new Set();
    for (const { fileName } of importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const target = ts.resolveModuleName(fileName, file, options, ts.sys).resolvedModule?.resolvedFileName;
      if (target !== undefined && own.has(target)) targets.add(nameOf(target));
    }
    graph.set(nameOf(file), [...targets]);
  }
  return graph;
}

/** Returns the circles of `graph` (Tarjan's strongly connected components), the largest first, each one sorted. */
export function circlesOf(graph) {
  const state = new Map();
  const stack = [];
  const groups = [];
  const visit = (file) => {
    const mine = { index: state.size, low: state.size, open: true };
    state.set(file, mine);
    stack.push(file);
    for (const target of graph.get(file) ?? []) {
      const other = state.get(target) ?? visit(target);
      if (other.open) mine.low = Math.min(mine.low, other.low);
    }
    if (mine.low === mine.index) {
      const group = stack.splice(stack.indexOf(file));
      for (const one of group) state.get(one).open = false;
      if (group.length > 1) groups.push(group.sort());
    }
    return mine;
  };
  for (const file of graph.keys()) if (!state.has(file)) visit(file);
  return groups.sort((a, b) => b.length - a.length);
}
