/** The bundles of dist, as Node loads them: their characters, their lines, and the heap that they leave for records. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { encodeExample } from '../../../lib';
import { Folder, numberedRecords } from '../../support/records/record-files';

const root = resolve(__dirname, '../../..');
const dist = join(root, 'dist');
const node = Number(process.versions.node.split('.')[0]);

const folder = new Folder();
afterAll(() => folder.remove());

/** Every script of dist, except the page of the viewer, which Node does not load. */
const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.m?js$/.test(name) && !name.startsWith(join('view', 'page')))
  .map((name) => [name, readFileSync(join(dist, name), 'utf8')] as const);

test('bundles are ASCII: V8 holds other text in two bytes a character', () => {
  expect(scripts.length).toBeGreaterThan(20);

  expect(scripts.filter(([, code]) => /[^\x00-\x7f]/.test(code)).map(([name]) => name)).toEqual([]);
});

test('lines are short, except one regular expression of a package', () => {
  const long = scripts.flatMap(([, code]) => code.split('\n')).filter((line) => line.length > 4000);
  expect(long.filter((line) => !line.includes('node_modules/emoji-regex/'))).toEqual([]);
});

test('doors pass names on as plain properties: V8 would call a getter of theirs at every use', () => {
  const program = `
    const modules = Object.entries(require(${JSON.stringify(join(dist, 'core.js'))}));
    const properties = modules.flatMap(([name, module]) =>
      Object.entries(Object.getOwnPropertyDescriptors(module)).map(([key, { get }]) => [name + '.' + key, get !== undefined]));
    console.log(JSON.stringify(properties));`;
  const found = execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  const properties = JSON.parse(found) as [name: string, getter: boolean][];
  expect(properties.map(([name]) => name)).toEqual(
    expect.arrayContaining(['io.setBytes', 'record.readRecords', 'table.newTable']),
  );
  // These load the bundles of URLs and of the clouds when they are first used.
  const clouds = ['AzureStore', 'GcsStore', 'S3Store'];
  const objects = ['listObjects', 'objectExists', 'writeObject', 'lookAtInput', 'objectSource', 'RemoteSource'];
  const stores = [
    'byDispatcher',
    'HttpStore',
    'refusalOf',
    'StoreError',
    'tagOf',
    'listsObjects',
    'setStore',
    'storeOf',
  ];
  const late = [...clouds, ...objects, ...stores].map((name) => `io.${name}`);
  expect(properties.flatMap(([name, getter]) => (getter ? [name] : []))).toEqual(expect.arrayContaining(late));
  expect(properties.filter(([, getter]) => getter)).toHaveLength(late.length);
});

test('an uncaught error prints less than 4 KB, with the names of our functions', () => {
  const program = `require(${JSON.stringify(root)}).readRecordsSync('no/such.tfrecord').next()`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('no/such.tfrecord');
  expect(stderr).toMatch(/at SyncRecords\.next .*core\.js/);
  expect(stderr.length).toBeLessThan(4096);
});

test('V8 collects its whole heap seldom while images are read', () => {
  const images = numberedRecords(60, 100_000).map((data) => encodeExample({ data }));
  const out = execFileSync(
    process.execPath,
    ['--expose-gc', '--trace-gc', join(root, 'test/runtimes/cases/heap.cjs'), folder.write('a', images), '2e9', root],
    { encoding: 'utf8' },
  );
  const heap = Number(/^heap (\d+)$/m.exec(out)![1]);
  const collections = out.slice(out.indexOf('\nreading\n')).match(/Mark-Compact/g)?.length ?? 0;
  // Later versions have larger heaps, and other limits: the tests of the package print theirs.
  if (node > 20) return;
  expect(heap).toBeLessThan(7.2e6);
  expect(collections / 2).toBeLessThanOrEqual(5);
});
