/** The built package is a few files around one core, whichever door a program uses. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';

import * as tfrecord from '../../../lib';
import * as arrow from '../../../lib/adapters/arrow';
import * as azure from '../../../lib/adapters/azure';
import * as duckdb from '../../../lib/adapters/duckdb';
import * as gcs from '../../../lib/adapters/gcs';
import * as http from '../../../lib/adapters/http';
import * as s3 from '../../../lib/adapters/s3';
import * as tfjs from '../../../lib/adapters/tfjs';
import * as convert from '../../../lib/convert';
import * as schema from '../../../lib/schema';
import * as view from '../../../lib/view';
import { ROOT } from '../../support/running/compiled-sources';
import { Folder } from '../../support/records/record-files';
import { flipBit, tfrecord as fileOf } from '../../support/records/tfrecord';

const DIST = join(ROOT, 'dist');
const DOORS = {
  'tfrecord-native': tfrecord,
  'tfrecord-native/arrow': arrow,
  'tfrecord-native/azure': azure,
  'tfrecord-native/convert': convert,
  'tfrecord-native/duckdb': duckdb,
  'tfrecord-native/gcs': gcs,
  'tfrecord-native/http': http,
  'tfrecord-native/s3': s3,
  'tfrecord-native/schema': schema,
  'tfrecord-native/tfjs': tfjs,
  'tfrecord-native/view': view,
};

const folder = new Folder();
afterAll(() => folder.remove());

/** Runs a CommonJS program in a process of its own, inside the package. Returns the JSON that it prints. */
function run(program: string, ...flags: readonly string[]): unknown {
  const text = execFileSync(process.execPath, [...flags, '-e', program], { cwd: ROOT, encoding: 'utf8' });
  return JSON.parse(text) as unknown;
}

/** A program that prints the loaded files, of the package and of others. */
const LOADED = `console.log(JSON.stringify(Object.keys(require.cache).map((file) =>
  file.replace(/^.*\\/(?:dist|node_modules)\\//, '').replace(/^.*\\/(?=tfrecord\\.node$)/, ''))));`;

test.each(Object.entries(DOORS))(
  '%s: CommonJS and ESM give the same objects, under the names of the sources',
  (name, lib) => {
    const found = run(`
    const cjs = require('${name}');
    import('${name}').then((esm) => {
      const same = Object.keys(esm).filter((key) => esm[key] === cjs[key]);
      const functions = Object.keys(cjs).filter((key) => typeof cjs[key] === 'function');
      console.log(JSON.stringify({ same, cjs: Object.keys(cjs), names: functions.map((key) => [key, cjs[key].name]) }));
    });
  `);
    const all = Object.keys(lib).sort();
    const named = Object.entries(lib as Record<string, unknown>).flatMap(([key, value]) =>
      typeof value === 'function' ? [[key, value.name]] : [],
    );
    const { same, cjs, names } = found as { same: string[]; cjs: string[]; names: [string, string][] };
    expect([same.sort(), cjs.sort()]).toEqual([all, all]);
    expect(Object.fromEntries(names)).toEqual(Object.fromEntries(named as [string, string][]));
  },
);

test('errors of every door, thread and chunk are of one class', () => {
  const worker = folder.put(
    'worker.cjs',
    `const { TFRecordError, parseTensor } = require(${JSON.stringify(DIST)});
     module.exports = (n) => { try { parseTensor(Buffer.from('no')); } catch (error) { return error instanceof TFRecordError && n; } };`,
  );
  const found = run(`
    const { Dataset, TFRecordError } = require('tfrecord-native');
    const { toTensors } = require('tfrecord-native/tfjs');
    const caught = async (fail) => { try { await fail(); } catch (error) { return error instanceof TFRecordError; } };
    (async () => console.log(JSON.stringify([
      await caught(() => toTensors({ a: { no: new Map() } })),
      await Dataset.range(2, 4).mapWorker(${JSON.stringify(worker)}).toArray(),
      await caught(() => Dataset.range(3).mapWorker(${JSON.stringify(folder.at('nowhere.cjs'))}).toArray()),
      await caught(() => Dataset.range(3).cache('/proc/nowhere').toArray()),
    ])))();
  `);
  expect(found).toEqual([true, [2, 3], true, true]);
});

test('every module is in one bundle', () => {
  const maps = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js.map'));
  expect(maps.sort()).toEqual([
    'arrow-batches.js.map',
    'azure.js.map',
    'cli/command.js.map',
    'cli/main.js.map',
    'clouds.js.map',
    'convert.js.map',
    'core.js.map',
    'datasets.js.map',
    'disk-cache.js.map',
    'duckdb.js.map',
    'event-logs.js.map',
    'foreign-indexes.js.map',
    'gcs.js.map',
    'http.js.map',
    'index.js.map',
    'message-types.js.map',
    'remote.js.map',
    's3.js.map',
    'schemas.js.map',
    'tfjs.js.map',
    'thread-core.js.map',
    'thread-main.js.map',
    'view/server.js.map',
    'wasm-binding.js.map',
    'workers.js.map',
  ]);
  const sources = maps.flatMap((name) => {
    const map = JSON.parse(readFileSync(join(DIST, name), 'utf8')) as { sources: string[] };
    return map.sources
      .map((source) => join(DIST, name, '..', source))
      .filter((file) => file.startsWith(join(ROOT, 'lib')));
  });
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file, i) => sources.indexOf(file) !== i)).toEqual([]);
});

test('no bundle hides the declarations of a folder of its name', () => {
  const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'));
  const hidden = files
    .filter((name) => !name.startsWith('cli'))
    .flatMap((name) => {
      const text = readFileSync(join(DIST, name), 'utf8');
      const targets = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => join(DIST, name, '..', path!));
      return targets.filter((target) => existsSync(`${target}.js`) && !existsSync(`${target}.d.ts`));
    });
  expect(files.length).toBeGreaterThan(100);
  expect(hidden).toEqual([]);
});

test('a door loads the core and the addon, and no chunk or other library', () => {
  const core = ['bindings/bindings.js', 'core.js', 'file-uri-to-path/index.js', 'tfrecord.node', 'thread-core.js'];
  const loadedBy = (name: string): unknown[] => (run(`require('${name}'); ${LOADED}`) as unknown[]).sort();
  const all = (...more: string[]): string[] => [...core, ...more].sort();
  expect(loadedBy('tfrecord-native')).toEqual(all('index.js'));
  expect(loadedBy('tfrecord-native/arrow')).toEqual(all('adapters/arrow/index.js', 'arrow-batches.js'));
  expect(loadedBy('tfrecord-native/convert')).toEqual(all('convert.js', 'convert/index.js', 'schemas.js'));
  expect(loadedBy('tfrecord-native/duckdb')).toEqual(all('adapters/duckdb/index.js', 'duckdb.js'));
  for (const cloud of ['azure', 'gcs', 'http', 's3']) {
    expect(loadedBy(`tfrecord-native/${cloud}`)).toEqual(all(`adapters/${cloud}/index.js`, `${cloud}.js`));
  }
  expect(loadedBy('tfrecord-native/schema')).toEqual(all('schema/index.js', 'schemas.js'));
  expect(loadedBy('tfrecord-native/tfjs')).toEqual(all('adapters/tfjs/index.js', 'tfjs.js'));
  expect(loadedBy('tfrecord-native/view')).toEqual(all('schemas.js', 'view/index.js', 'view/server.js'));
});

test('chunks are loaded when they are used', () => {
  const file = folder.write('a.tfrecord', [Buffer.from('')]);
  const worker = folder.put('loaded.cjs', `module.exports = () => Object.keys(require.cache);`);
  const loaded = (work: string): unknown =>
    run(`const { Dataset, fixedLen } = require('tfrecord-native');
      const files = Dataset.tfrecord(${JSON.stringify(file)});
      (${work}).toArray().then(() => { ${LOADED} });`);
  expect(loaded('files.parse({ a: fixedLen([], "int64", { default: 0 }) }).batch(2)')).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/workers|disk-cache/)]),
  );
  expect(loaded(`files.cache(${JSON.stringify(folder.at('cache'))})`)).toContain('disk-cache.js');
  expect(loaded(`Dataset.range(1).mapWorker(${JSON.stringify(worker)})`)).toContain('workers.js');
});

test('a thread of mapWorker loads little: no core, no addon', () => {
  const worker = folder.put('loaded.cjs', `module.exports = () => Object.keys(require.cache);`);
  const inThread = run(`require('tfrecord-native').Dataset.range(1).mapWorker(${JSON.stringify(worker)}).toArray()
    .then(([files]) => console.log(JSON.stringify(files)));`) as string[];
  expect(inThread.map((name) => basename(name))).toEqual(['thread-main.js', 'thread-core.js', 'loaded.cjs']);
});

describe('stacks name our function and the line of the program', () => {
  const broken = folder.put('broken.tfrecord', flipBit(fileOf([Buffer.from('abc')]), 13));
  const program = folder.put(
    'program.cjs',
    `const { decodeExample, readRecords, readRecordsSync } = require(${JSON.stringify(DIST)});
const [, , call] = process.argv;
const read = {
  decodeExample: () => decodeExample(Buffer.from('no')),
  readRecordsSync: () => [...readRecordsSync(${JSON.stringify(broken)})],
  readRecords: async () => { for await (const _ of readRecords(${JSON.stringify(broken)})); },
};
Promise.resolve().then(() => read[call]()).catch((error) => console.log(JSON.stringify(error.stack)));
`,
  );
  const stackOf = (call: string, ...flags: readonly string[]): string =>
    JSON.parse(execFileSync(process.execPath, [...flags, program, call], { encoding: 'utf8' })) as string;

  test.each([
    ['decodeExample', /at (?:Object\.)?decodeExample \(.*dist\/core\.js:\d+/, 4],
    ['readRecordsSync', /at \S*(?:SyncRecords|next)\S* .*dist\/core\.js:\d+/, 5],
    ['readRecords', /./, 6],
  ])('%s', (call, ours, line) => {
    const stack = stackOf(call);
    expect(stack).toMatch(ours);
    expect(stack).toContain(`program.cjs:${line}:`);
  });

  test('with --enable-source-maps, our source', () => {
    expect(stackOf('decodeExample', '--enable-source-maps')).toMatch(
      /decodeExample \(.*lib\/example\/.*\.ts:\d+:\d+\)/,
    );
  });
});

test('the command has its packages inside, with their licences', () => {
  const { sources } = JSON.parse(readFileSync(join(DIST, 'cli', 'command.js.map'), 'utf8')) as { sources: string[] };
  const code = readFileSync(join(DIST, 'cli', 'command.js'), 'utf8');
  const licences = readFileSync(join(DIST, 'cli', 'LICENSES.txt'), 'utf8');
  const bundled = new Set(sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []));
  expect([...bundled]).toEqual(expect.arrayContaining(['commander', 'cli-progress', 'picocolors']));
  for (const name of bundled) {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(licences).toContain(`\n${name} ${version} (`);
  }
  // Other modules must be Node's own or be in dist.
  const outside = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map((match) => match[1]!);
  expect(
    outside.filter(
      (name) =>
        !isBuiltin(name) &&
        !/^(?:\.\.\/(?:core|datasets|event-logs|message-types|thread-core|convert|duckdb|schemas|view\/server)\.js|\.\.\/\.\.\/package\.json)$/.test(
          name,
        ),
    ),
  ).toEqual([]);
});
