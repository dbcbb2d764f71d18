/** Tests the rule of rooms.mjs with imports that it must allow and imports that it must refuse. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { Linter } from 'eslint';
import { roomDirection } from './rooms.mjs';

const cwd = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..');
const linter = new Linter({ cwd });

/** Returns the message ids of the rule's findings for `code` in `file`. */
function findings(file, code) {
  const config = {
    files: ['**/*.ts'],
    plugins: { rooms: { rules: { 'room-direction': roomDirection } } },
    rules: { 'rooms/room-direction': 'error' },
  };
  return linter.verify(code, config, { filename: path.join(cwd, file) }).map(({ messageId, message }) => {
    assert.ok(messageId, message);
    return messageId;
  });
}

const cases = [
  ['lib/cli/commands/head.ts', "import '../../record';", []],
  ['lib/cli/commands/head.ts', "import '../../record/index.js';", []],
  ['lib/cli/commands/head.ts', "import './cat';", []],
  ['lib/record/read/input.ts', "import '../format';", []],
  ['lib/record/reader.ts', "import '../native';", []],
  ['lib/native/load.ts', "import '../base';", []],
  ['lib/native/load.ts', "import '../base/errors';", ['door']],
  ['lib/index.ts', "export { a } from './record';", []],
  ['test/unit/a.test.ts', "import '../../lib/record/slab';", []],
  ['lib/adapters/tfjs/a.ts', "import '../../dataset';", []],
  ['lib/adapters/tfjs/a.ts', "import '../../dataset/dataset';", ['door']],
  ['lib/dataset/a.ts', "import '../adapters/tfjs';", ['upward']],
  ['lib/cli/commands/head.ts', "import '../../record/slab';", ['door']],
  ['lib/cli/commands/convert.ts', "import '../../convert/formats';", []],
  ['lib/cli/commands/convert.ts', "import '../../convert/options';", ['door']],
  ['lib/view/host/a.ts', "import '../../convert/formats';", ['door']],
  ['lib/record/reader.ts', "import '../native/load';", ['door']],
  ['lib/record/reader.ts', "import '../cli';", ['upward']],
  ['lib/native/load.ts', "export * from '../record';", ['upward']],
  ['lib/base/errors.ts', "import '../native';", ['upward']],
  ['lib/table/table.ts', "import '../decode';", ['upward']],
  ['lib/record/reader.ts', "import '..';", ['upward']],
  ['lib/decode/raw.ts', "import '../example';", []],
  ['lib/example/a.ts', "import '../decode';", ['upward']],
  ['lib/cli/commands/head.ts', "import '../../native';", ['binding']],
  ['lib/decode/a.ts', "const b = require('../native');", ['binding']],
  ['lib/example/a.ts', "import '../native';", []],
  ['lib/example/a.ts', "const b = import('../cli');", ['upward']],
  ['lib/nowhere/a.ts', "import '../record';", ['unknown']],
];

for (const [file, code, expected] of cases) assert.deepEqual(findings(file, code), expected, `${file}: ${code}`);
