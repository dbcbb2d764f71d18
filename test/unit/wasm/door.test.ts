/** The door for pages has the names of the main one that need no Node: both list them by hand. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../support/running/compiled-sources';

/** The rooms that work in a page. */
const ROOMS = ['base', 'io', 'record', 'tensor', 'example'];
/** Names that only the main door has: Node's own streams, and sets of files. */
const OF_NODE = [
  'createRecordDecoder',
  'createRecordEncoder',
  'ShardedWriter',
  'type ShardedWriteReport',
  'type ShardedWriterOptions',
  'type WrittenFile',
];

/** Returns the names, types included, that the door `file` exports of each room. */
function exported(file: string): Record<string, string[]> {
  const names = new Map<string, string[]>(ROOMS.map((room) => [room, []]));
  const text = readFileSync(join(ROOT, file), 'utf8');
  for (const [, isType, list, room] of text.matchAll(/^export (type )?\{([^}]*)\} from '\.{1,2}\/(\w+)';$/gm)) {
    const each = list!.split(',').map((name) => name.trim());
    names.get(room!)?.push(...each.filter((name) => name !== '').map((name) => `${isType ?? ''}${name}`));
  }
  return Object.fromEntries([...names].map(([room, list]) => [room, list.sort()]));
}

test('tfrecord-native/wasm exports what tfrecord-native exports of the rooms that it has', () => {
  const main = exported('lib/index.ts');
  for (const room of ['record', 'example']) main[room] = main[room]!.filter((name) => !OF_NODE.includes(name));
  expect(Object.values(main).flat().length).toBeGreaterThan(150);
  expect(exported('lib/wasm/index.ts')).toEqual(main);
});
