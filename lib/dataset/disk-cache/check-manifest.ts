import { inspect } from 'node:util';

import { seedFromText } from '../random';
import { damaged, type IndexPoint, type Manifest, type Shard } from './manifest';

/** The name of file `number` in a cache's folder. */
export function shardName(number: number): string {
  return `cache-${String(number).padStart(5, '0')}.tfrecord`;
}

/**
 * Checks `manifest`, which anyone may have written, member by member. Files must have the names that caches give, so
 * that no file outside the folder is read. `file` is the manifest's path. @throws TFRecordError TFR_DECODE
 */
export function checkManifest(manifest: Readonly<Record<string, unknown>>, file: string): Manifest {
  const { graph, code, files, version, node, id, seed, elements, forms, shards } = manifest;
  const wrong = (expected: string, found: unknown): Error =>
    damaged('TFR_DECODE', file, expected, inspect(found, { breakLength: Infinity }).slice(0, 100));
  const text = (name: string, value: unknown): string => {
    if (typeof value !== 'string') throw wrong(`a text as ${name}`, value);
    return value;
  };
  const count = (name: string, value: unknown, least = 0, most = Number.MAX_SAFE_INTEGER): number => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    throw wrong(`${name} from ${least} to ${most}`, value);
  };
  const list = (name: string, value: unknown): readonly unknown[] => {
    if (Array.isArray(value)) return value;
    throw wrong(`a list as ${name}`, value);
  };
  const member = (name: string, value: unknown): Readonly<Record<string, unknown>> => {
    if (typeof value === 'object' && value !== null) return { ...value };
    throw wrong(`an object in ${name}`, value);
  };

  if (seed !== null && seedFromText(seed) === undefined) throw wrong('a seed, or null', seed);
  const all = count('elements', elements);
  let last: IndexPoint = [0, 0, 0];
  const pointsOf = (given: unknown, bytes: number): IndexPoint[] => {
    const points = list('index', given);
    if (points.length === 0) throw wrong('a place to begin at in each file', given);
    last = [last[0], 0, 0];
    return points.map((point, i): IndexPoint => {
      const [element, record, offset] = list('index', point);
      // The first position is the start of the file; positions ascend.
      const most = i === 0 ? 0 : bytes;
      last = [
        count('elements before a place', element, last[0], all),
        count('records before a place', record, last[1], most),
        count('bytes before a place', offset, last[2], most),
      ];
      return last;
    });
  };
  const shardOf = (given: unknown, number: number): Shard => {
    const { name, bytes, index } = member('shards', given);
    const expected = shardName(number);
    if (name !== expected) throw wrong(`a file ${expected}`, name);
    const size = count('bytes of a file', bytes);
    return { name: expected, bytes: size, index: pointsOf(index, size) };
  };
  return {
    graph: text('graph', graph),
    code: text('code', code),
    files: text('files', files),
    version: count('version', version),
    node: text('node', node),
    id: text('id', id),
    seed: seed as string | null,
    elements: all,
    forms: list('forms', forms).map((form) =>
      form === null ? null : member('forms', form),
    ) as unknown as Manifest['forms'],
    shards: list('shards', shards).map(shardOf),
  };
}
