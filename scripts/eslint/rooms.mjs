/**
 * The rooms of `lib/`, and the rule that keeps imports pointing down.
 *
 * A room is a folder of `lib/`, or of `lib/adapters/`, and the files beside the folders (`lib/index.ts`) are the roof. A
 * file may import anything of its own room, a room of a lower level only through that room's `index.ts`, and nothing else.
 * Only the rooms in `BINDING_ROOMS` may import `native`.
 */
import path from 'node:path';

/** From the bottom up. Rooms of one level do not import each other. */
const LEVELS = [
  ['base'],
  ['native'],
  ['io'],
  ['record'],
  ['tensor'],
  ['example'],
  ['table', 'decode', 'messages', 'wasm'],
  ['dataset', 'events'],
  ['arrow', 'sql'],
  [
    'adapters/arrow',
    'adapters/azure',
    'adapters/duckdb',
    'adapters/gcs',
    'adapters/http',
    'adapters/s3',
    'adapters/tfjs',
  ],
  ['schema'],
  ['convert'],
  ['view'],
  ['cli'],
  ['roof'],
];
const LEVEL_OF = new Map(LEVELS.flatMap((rooms, level) => rooms.map((room) => [room, level])));

/** Files and folders besides index.ts by which a room may enter another. */
const SIDE_DOORS = {
  // The rooms load the addon; pages take the other binding.
  'wasm native': ['wasm'],
  // The command needs the list of formats, and descriptions in parts, which are not public.
  'cli convert': ['formats', 'describe'],
  // The checks and changes of the records of data sets.
  'cli schema': ['tfds'],
  'convert schema': ['parts', 'tfds'],
};

const BINDING_ROOMS = new Set(['native', 'io', 'record', 'example', 'table', 'sql', 'wasm']);

/** Splits a path in `lib/` into its room and the path within the room; `undefined` for a path outside `lib/`. */
function locate(lib, file) {
  const relative = path.relative(lib, file);
  if (relative.startsWith('..')) return undefined;
  const parts = relative.replace(/\.(?:[cm]?[jt]s|d\.ts)$/, '').split(path.sep);
  const first = parts.splice(0, parts[0] === 'adapters' ? 2 : 1).join('/');
  if (parts.length === 0 && !LEVEL_OF.has(first)) return { room: 'roof', inside: '' };
  return { room: first, inside: parts.join('/') };
}

/** @type {import('eslint').Rule.RuleModule} */
export const roomDirection = {
  meta: {
    type: 'problem',
    docs: { description: 'imports between the rooms of lib/ point down and go through index.ts' },
    messages: {
      unknown: "'{{room}}' is no room of lib/: give it a level in scripts/eslint/rooms.mjs.",
      upward: "'{{from}}' may not import '{{to}}': arrows point down only.",
      door: "'{{to}}' is entered through its index.ts only.",
      binding: "'{{from}}' may not touch the binding: only {{rooms}} do.",
    },
    schema: [],
  },
  create(context) {
    const lib = path.join(context.cwd, 'lib');
    const importer = locate(lib, context.filename);
    if (importer === undefined) return {};

    function check(node) {
      const specifier = node?.value;
      if (typeof specifier !== 'string' || !specifier.startsWith('.')) return;
      const target = locate(lib, path.resolve(path.dirname(context.filename), specifier));
      if (target === undefined || target.room === importer.room) return;
      const report = (messageId, data) => context.report({ node, messageId, data });
      for (const { room } of [importer, target]) {
        if (!LEVEL_OF.has(room)) return report('unknown', { room });
      }
      if (LEVEL_OF.get(target.room) >= LEVEL_OF.get(importer.room)) {
        return report('upward', { from: importer.room, to: target.room });
      }
      if (target.room === 'native' && !BINDING_ROOMS.has(importer.room)) {
        return report('binding', { from: importer.room, rooms: [...BINDING_ROOMS].join(' and ') });
      }
      const doors = ['', 'index', ...(SIDE_DOORS[`${importer.room} ${target.room}`] ?? [])];
      if (!doors.includes(target.inside)) report('door', { to: target.room });
    }

    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      TSImportType: (node) => check(node.source ?? node.argument?.literal),
      'CallExpression[callee.name="require"]': (node) => check(node.arguments[0]),
    };
  },
};
