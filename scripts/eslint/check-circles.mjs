/** Fails if files of lib import each other in a circle. Tests first that circles are found. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { circlesOf, importGraph } from './circles.mjs';

/** Returns the circles in a folder `lib` of these files, by their names and texts. */
function circlesIn(files) {
  const root = mkdtempSync(path.join(tmpdir(), 'circles-'));
  try {
    writeFileSync(path.join(root, 'tsconfig.json'), '{}');
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(root, 'lib', name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return circlesOf(importGraph(root));
  } finally {
    rmSync(root, { recursive: true });
  }
}

const leaf = 'export const leaf = 1;';
const cases = [
  ['a chain', { 'a.ts': "import './b';", 'b.ts': "import './c/index';", 'c/index.ts': leaf }, []],
  ['values', { 'a.ts': "import { b } from './b';", 'b.ts': "export * from './a';" }, [['lib/a.ts', 'lib/b.ts']]],
  [
    'types',
    { 'a.ts': "import type { B } from './b';", 'b.ts': "import type { A } from './a';" },
    [['lib/a.ts', 'lib/b.ts']],
  ],
  ['a type in place', { 'a.ts': "type B = import('./b').B;", 'b.ts': "import './a';" }, [['lib/a.ts', 'lib/b.ts']]],
  ['a late import', { 'a.ts': "const b = () => import('./b');", 'b.ts': "import './a';" }, [['lib/a.ts', 'lib/b.ts']]],
  [
    'a late require',
    { 'a.ts': "const b = () => require('./b');", 'b.ts': "import './a';" },
    [['lib/a.ts', 'lib/b.ts']],
  ],
  [
    'through a door',
    {
      'c/a.ts': "import '../d';",
      'd/index.ts': "export * from './b';",
      'd/b.ts': "import '../c/a';",
      'e.ts': "import './d';",
    },
    [['lib/c/a.ts', 'lib/d/b.ts', 'lib/d/index.ts']],
  ],
];
for (const [name, files, expected] of cases) assert.deepEqual(circlesIn(files), expected, name);

const found = circlesOf(importGraph(fileURLToPath(new URL('../..', import.meta.url))));
for (const files of found) console.error(`These files import each other: ${files.join(', ')}`);
if (found.length > 0) {
  console.error('Move what both sides need into a file below them.');
  process.exitCode = 1;
}
