/** The page on TensorFlow's names leads to everything that the package has, and names nothing that it has not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as lib from '../../../lib';
import { ROOT } from '../../support/running/compiled-sources';

const page = readFileSync(join(ROOT, 'docs', 'from-tensorflow.md'), 'utf8');
const names = page.slice(0, page.indexOf('## Where we differ'));
const methods = Object.getOwnPropertyNames(lib.Dataset.prototype).filter((name) => name !== 'constructor');
const statics = Object.getOwnPropertyNames(lib.Dataset).filter(
  (name) => !['length', 'name', 'prototype'].includes(name),
);
const words = new Set(page.match(/\w+/g));

test('each export and each stage is on the page', () => {
  const all = [...Object.keys(lib), ...methods, ...statics];
  expect(all.length).toBeGreaterThan(90);
  expect(all.filter((name) => !words.has(name))).toEqual([]);
});

test('each call in the column of our names exists', () => {
  const ours = [...names.matchAll(/^\| .*? \| (.*) \|$/gm)].map(([, column]) => column!).join(' ');
  const calls = [...ours.matchAll(/`(?:[^`]*?\b)?(?:Dataset\.)?(\w+)\(/g)].map(([, name]) => name!);
  const known = new Set([
    ...[...Object.keys(lib), ...methods, ...statics],
    // Of readers, writers, iterators and tensors.
    ...['open', 'write', 'writeBatch', 'close', 'batches', 'state', 'iterate', 'count', 'toObject'],
  ]);
  expect(calls.length).toBeGreaterThan(30);
  expect(calls.filter((name) => !known.has(name))).toEqual([]);
});
