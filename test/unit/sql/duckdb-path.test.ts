import { pathToRead, pathToWrite } from '../../../lib/sql/duckdb-path';

const folder = process.cwd();

test.each([
  ['a.parquet', `${folder}/a.parquet`],
  ['~/a.parquet', `${folder}/~/a.parquet`],
  ['file:/a.parquet', `${folder}/file:/a.parquet`],
  ['link/../a.parquet', `${folder}/link/../a.parquet`],
  ['/data/a*.parquet', '/data/a*.parquet'],
])('%s is written as %s', (path, expected) => {
  expect(pathToWrite(path)).toBe(expected);
});

test('a path that is too long to be absolute does not begin with ~', () => {
  const path = `~/${'a'.repeat(4000)}`;
  expect(pathToWrite(path)).toBe(`./${path}`);
});

test.each([
  ['/d/a.parquet', '/d/a.parquet'],
  ['/d/a[1]?*.parquet', '/d/a[[]1][?][*].parquet'],
  [String.raw`/d/a\1.parquet`, String.raw`/d/a\1.parquet`],
  // A backslash hides what follows.
  [String.raw`/d/a\[1]`, String.raw`/d/a\[1]`],
  [String.raw`/d/a\\*`, undefined],
  [String.raw`/d\b/*`, undefined],
  ['/d/a\\', '/d/a\\'],
])('%s is read as %s', (path, expected) => {
  if (expected === undefined) {
    expect(() => pathToRead(path)).toThrow(expect.objectContaining({ code: 'TFR_SQL' }));
  } else expect(pathToRead(path)).toBe(expected);
});
