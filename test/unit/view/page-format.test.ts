/** Numbers and names as the page of `tfrecord view` shows them. */
import { fileLabels } from '../../../lib/view/page/format';

describe('the names of files', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['none', [], []],
    ['different ones', ['a/x', 'b/y'], ['x', 'y']],
    ['the same in two folders', ['/d/train/x', '/d/test/x', '/d/y'], ['train/x', 'test/x', 'y']],
    ['the same in folders of one name', ['/a/d/x', '/b/d/x', '/b/e/x'], ['a/d/x', 'b/d/x', 'e/x']],
    ['one below the other', ['x', 'a/x'], ['x', 'a/x']],
    ['Windows', ['C:\\a\\x', 'C:\\b\\x'], ['a/x', 'b/x']],
    ['the same file twice', ['/a/x', '/a/x'], ['/a/x', '/a/x']],
    ['a slash at the end', ['/a/x/', '/b/x/'], ['a/x/', 'b/x/']],
  ])('%s', (_, paths, labels) => {
    expect(fileLabels(paths)).toEqual(labels);
  });

  test('thousands in one folder take no time', () => {
    const paths = Array.from({ length: 5000 }, (_, i) => `/data/${i % 50}/part-${i}`);
    expect(new Set(fileLabels(paths)).size).toBe(5000);
  });
});
