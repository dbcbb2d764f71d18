/** The code of the documents runs on the compiled package, with files of the names that it uses. */
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { countRecords } from '../../../lib';
import { ROOT } from '../../support/running/compiled-sources';
import { picture } from '../../support/records/pictures';
import { Folder } from '../../support/records/record-files';
import { runSnippets, type SnippetResult } from '../../support/running/run-snippets';
import { dataset, dict, label, tensor, writeTfds } from '../../support/records/tfds-sets';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const weather = (name: string): string => join(ROOT, 'examples', 'data', name);
const blocks = [
  'README.md',
  join('docs', 'arrow.md'),
  join('docs', 'cheat-sheet.md'),
  join('docs', 'conversion.md'),
  join('docs', 'parsing.md'),
  join('docs', 'encoding.md'),
  join('docs', 'datasets.md'),
  join('docs', 'how-to.md'),
  join('docs', 'random-access.md'),
  join('docs', 'remote.md'),
  join('docs', 'schema.md'),
  join('docs', 'sql.md'),
  join('docs', 'statistics.md'),
].flatMap((document) =>
  [...readFileSync(join(ROOT, document), 'utf8').matchAll(/^```js\n(.*?)^```/gms)].map(
    ([, code], i) => [`${document}, ${i + 1}`, code!] as const,
  ),
);
/** Returns the name of a snippet that begins with one: it is a file for other snippets. */
const fileName = (code: string): string | undefined => /^\/\/ ([\w-]+\.mjs)\n/.exec(code)?.[1];
const snippets = blocks.filter(([, code]) => fileName(code) === undefined);

beforeAll(() => {
  // A package.json of its own, so that those in folders above have no effect.
  writeFileSync(folder.at('package.json'), '{ "private": true }\n');
  mkdirSync(folder.at('node_modules'));
  symlinkSync(ROOT, folder.at(join('node_modules', 'tfrecord-native')), 'junction');
  symlinkSync(join(ROOT, 'node_modules', '@tensorflow'), folder.at(join('node_modules', '@tensorflow')), 'junction');
  symlinkSync(join(ROOT, 'node_modules', 'apache-arrow'), folder.at(join('node_modules', 'apache-arrow')), 'junction');
  symlinkSync(join(ROOT, 'node_modules', '@duckdb'), folder.at(join('node_modules', '@duckdb')), 'junction');
  for (const name of ['train.tfrecord.gz', 'train-0.gz']) copyFileSync(weather('weather.tfrecord.gz'), folder.at(name));
  for (let shard = 0; shard < 128; shard++) {
    const name = `train-${String(shard).padStart(5, '0')}-of-00128`;
    writeFileSync(folder.at(name), tfrecord([`shard ${shard}`]));
  }
  mkdirSync(folder.at(join('photos', 'cat')), { recursive: true });
  writeFileSync(folder.at(join('photos', 'cat', '1.png')), picture('png', 640, 480));
  writeTfds(folder.at(join('tensorflow_datasets', 'robots', '1.0.0')), {
    features: dict({ steps: dataset(dict({ action: tensor('float32', 2) })), kind: label(2) }),
    splits: { train: [[{ steps: [{ action: [1, 2] }, { action: [3, 4] }], kind: 1 }]] },
    labels: { kind: ['pick', 'place'] },
  });
  const old = readFileSync(weather('weather.tfrecord'));
  old[old.length - 10]! ^= 1;
  writeFileSync(folder.at('old.tfrecord'), old);
  for (const [, code] of blocks) {
    const name = fileName(code);
    if (name !== undefined) writeFileSync(folder.at(name), code);
  }
  // Replaces the network.
  const answer = JSON.stringify(weather('weather.tfrecord.gz'));
  writeFileSync(
    folder.at('fetch.mjs'),
    `import { readFileSync } from 'node:fs';\nglobalThis.fetch = async () => new Response(readFileSync(${answer}));\n`,
  );
  mkdirSync(folder.at(join('node_modules', 'undici')));
  writeFileSync(
    folder.at(join('node_modules', 'undici', 'index.js')),
    `const { createReadStream } = require('node:fs');
    exports.Agent = class {
      async request() {
        return { statusCode: 200, headers: {}, body: createReadStream(${answer}) };
      }
    };`,
  );
});

let results: readonly SnippetResult[];

beforeAll(() => {
  // `await using` is newer than the oldest supported Node.
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const codes = snippets.map(([, code]) => ts.transpileModule(code, { compilerOptions }).outputText);
  results = runSnippets(folder, codes, './fetch.mjs', 'out.tfrecord.gz');
});

test('there are snippets', () => {
  expect(snippets.length).toBeGreaterThanOrEqual(8);
});

test.each(snippets.map(([name, code], i) => [name, code, i] as const))('%s', async (_name, code, i) => {
  const { stdout, failure } = results[i]!;
  expect(failure).toBeUndefined();
  const printed = stdout.split('\n');
  expect(printed.length).toBeGreaterThan(1);
  // If a comment says what a line prints, the line must print that.
  const promised = [...code.matchAll(/^console\.log\(.*\); \/\/ ((?:\{|\w+Tensor |fixedLen\().*)$/gm)].map(
    ([, text]) => text,
  );
  expect(printed).toEqual(expect.arrayContaining(promised));
  if (!code.includes("'out.tfrecord.gz'")) return;
  expect(await countRecords(folder.at(`${i}-out.tfrecord.gz`))).toBe(3);
});
