/**
 * The rooms of `lib/`, and the rule that keeps imports pointing down.
 *
 * A room is a folder of `lib/`, or of `lib/adapters/`. The files beside the folders (`lib/errors.ts` ...) are the room
 * `base`, and `lib/index.ts` is the top. A file may import anything of its own room, a lower room only through that
 * room's `index.ts`, and no other room of its own level or above. Only the rooms in `BINDING_ROOMS` may import
 * `native`.
 */
import path from 'node:path';

const HEIGHTS = {
  base: 0,
  native: 1,
  record: 2,
  tensor: 3,
  example: 4,
  wasm: 5,
  decode: 5,
  dataset: 6,
  arrow: 6.5,
  sql: 6.5,
  'adapters/arrow': 7,
  'adapters/duckdb': 7,
  'adapters/tfjs': 7,
  schema: 8,
  convert: 9,
  view: 9.5,
  cli: 10,
  roof: 11,
};

/** Files besides index.ts by which a room may enter another. */
const SIDE_DOORS = {
  // The rooms load the addon; pages take the other binding.
  'wasm native': 'wasm',
  // The list of formats is not public.
  'cli convert': 'formats',
};

const BINDING_ROOMS = new Set(['native', 'record', 'example', 'wasm']);

/** Splits a path in `lib/` into its room and the path within the room; `undefined` for a path outside `lib/`. */
function locate(lib, file) {
  const relative = path.relative(lib, file);
  if (relative.startsWith('..')) return undefined;
  const parts = relative.replace(/\.(?:[cm]?[jt]s|d\.ts)$/, '').split(path.sep);
  const first = parts.splice(0, parts[0] === 'adapters' ? 2 : 1).join('/');
  const rest = parts;
  if (rest.length === 0 && !(first in HEIGHTS && first !== 'base')) {
    return { room: first === 'index' || first === '' ? 'roof' : 'base', inside: '' };
  }
  return { room: first, inside: rest.join('/') };
}

/** @type {import('eslint').Rule.RuleModule} */
export const roomDirection = {
  meta: {
    type: 'problem',
    docs: { description: 'imports between the rooms of lib/ point down and go through index.ts' },
    messages: {
      unknown: "'{{room}}' is no room of lib/: give it a height in scripts/eslint/rooms.mjs.",
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
        if (!(room in HEIGHTS)) return report('unknown', { room });
      }
      if (HEIGHTS[target.room] >= HEIGHTS[importer.room]) {
        return report('upward', { from: importer.room, to: target.room });
      }
      if (target.room === 'native' && !BINDING_ROOMS.has(importer.room)) {
        return report('binding', { from: importer.room, rooms: [...BINDING_ROOMS].join(' and ') });
      }
      const door = SIDE_DOORS[`${importer.room} ${target.room}`];
      if (target.inside !== '' && target.inside !== 'index' && target.inside !== door)
        report('door', { to: target.room });
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
