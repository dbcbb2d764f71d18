import fc from 'fast-check';

import { isPattern, parseGlob, parseSegment } from '../../../../lib/io/files/glob';

/** Whether the pattern, walked name by name as folders are, takes the path for a file. */
function walks(pattern: string, path: string): boolean {
  const glob = parseGlob(pattern);
  const names = path.split('/');
  let positions = glob.start;
  for (const [index, name] of names.entries()) {
    if (index > 0 && !glob.continues(positions)) return false;
    positions = glob.after(positions, name);
    if (positions.length === 0) return false;
  }
  return glob.isEnd(positions);
}

/** The same in one expression over the whole path. A dot at the start of a name has to be in the pattern. */
function expression(segments: readonly string[]): RegExp {
  const last = segments.length - 1;
  const parts = segments.map((segment, index) => {
    if (segment === '**') return index === last ? '(?:(?!\\.)[^/]+/)*(?!\\.)[^/]+' : '(?:(?!\\.)[^/]+/)*';
    const text = segment
      .replace(/[^\w*?]/g, '\\$&')
      .replace(/\*+/g, '[^/]*')
      .replace(/\?/g, '[^/]');
    const shown = segment.startsWith('.') ? text : `(?!\\.)${text}`;
    return index === last ? shown : `${shown}/`;
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** Nothing in a folder is called . or .. */
const names = fc
  .string({
    unit: fc.constantFrom('a', 'b', '.', '(', '+', '"', '|', '!', '{'),
    minLength: 1,
    maxLength: 3,
  })
  .filter((name) => !/^\.\.?$/.test(name));
const wild = fc
  .string({ unit: fc.constantFrom('a', 'b', '.', '(', '+', '"', '*', '?'), minLength: 1, maxLength: 4 })
  .filter((name) => !/^\.\.?$/.test(name));

test('a walk by positions matches what the whole pattern matches', () => {
  let matched = 0;
  const segments = fc.array(fc.oneof(names, wild, fc.constant('**')), { minLength: 1, maxLength: 5 });
  const paths = fc.array(names, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(segments, paths, (pattern, path) => {
      // With a wildcard in front nothing of it is a fixed folder.
      const whole = ['*', ...pattern];
      const expected = expression(whole).test(path.join('/'));
      if (expected) matched++;
      expect(walks(whole.join('/'), path.join('/'))).toBe(expected);
    }),
    { numRuns: 5000, seed: 11 },
  );
  expect(matched).toBeGreaterThan(200);
});

test.each([
  ['*.tfr', ''],
  ['data/x (1)/*.tfr', 'data/x (1)/'],
  ['/a*/b/c', '/'],
  ['data/[ab]/x', 'data/'],
])('%s: the fixed folders are %j', (pattern, prefix) => {
  expect(parseGlob(pattern).prefix).toBe(prefix);
});

test.each([
  ['*', '.a', false],
  ['.*', '.a', true],
  ['?a', '.a', false],
  ['[.]a', '.a', false],
  ['[!b]a', '.a', false],
  ['.?', '.a', true],
  ['*/.a*', 'b/.ab', true],
  ['*/.a*', '.b/.ab', false],
  ['**', '.a', false],
  ['**', 'b/.a', false],
  ['**/.a', 'b/c/.a', true],
  ['**/.a', '.b/.a', false],
  ['.b*/**', '.b/a', true],
  ['.b*/**', '.b/.a', false],
  ['*.a', 'x.a', true],
])('dots at the start: %s and %s', (pattern, path, matches) => {
  expect(walks(pattern, path)).toBe(matches);
});

test('a dot is at the start of a pattern, too, if a backslash is before it', () => {
  expect(walks('\\.*', '.a')).toBe(true);
});

describe('one name', () => {
  test.each([
    ['*', 'a .x', ''],
    ['a*', 'a ab', 'ba'],
    ['*a', 'a ba aa', 'ab'],
    ['*ab*ab*', 'abab xabxabx ababab', 'ab aab abxa'],
    ['a*b*c', 'abc axbxc abcbc', 'acb abcx'],
    ['**a**', 'a xax', 'x'],
    ['?', 'a . \u{1F600}', 'ab'],
    ['a?c*', 'abc a\u{1F600}cd', 'ac'],
    ['[ab]', 'a b', 'c ab - \\'],
    ['[!ab]', 'c !', 'a b'],
    ['[^ab]', 'c ^', 'a b'],
    ['[a-c]x', 'ax bx cx', 'dx -x'],
    ['[c-a]', '', 'a b c -'],
    ['[-a]', '- a', 'b'],
    ['[a-]', '- a', 'b'],
    ['[!-]', 'a', '-'],
    ['[]]', ']', '[ a'],
    ['[!]a]', 'b', '] a'],
    ['[\\]]', ']', '\\'],
    ['[\\a-\\c]', 'a b c', '\\ - d'],
    ['[\u{1F600}-\u{1F602}]', '\u{1F600} \u{1F601}', '\u{1F603} \uD83D'],
    ['[[:digit:]x]*', '1 x2 9z', 'a : ['],
    ['[![:alpha:]]', '1 -', 'a Z'],
    ['[[:nothing:]]', '', 'n : ['],
    ['[[:digit]', '[ : d t', '1 x'],
    // Not closed: for itself.
    ['a[b*', 'a[b a[bc', 'ab'],
    ['[', '[', 'a'],
    ['[a\\]', '[a]', 'a \\'],
    ['[!', '[!', 'a'],
    ['\\*', '*', 'a \\*'],
    ['\\\\a', '\\a', 'a'],
    ['a\\', 'a\\', 'a'],
  ])('%s matches %j, not %j', (pattern, yes, no) => {
    const names = (list: string): string[] => list.split(' ').filter((name) => name !== '');
    const matches = parseSegment(pattern);
    expect(names(yes).filter((name) => !matches(name))).toEqual([]);
    expect(names(no).filter((name) => matches(name))).toEqual([]);
  });

  test('many stars and a hostile name do not hang', () => {
    const matches = parseSegment(`${'*-'.repeat(30)}*.tfr`);
    expect(matches('-'.repeat(255))).toBe(false);
    expect(matches(`${'-'.repeat(251)}.tfr`)).toBe(true);
  });
});

describe('paths of Windows', () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
  beforeEach(() => Object.defineProperty(process, 'platform', { ...platform, value: 'win32' }));
  afterEach(() => Object.defineProperty(process, 'platform', platform));

  test('backslashes separate folders in a pattern', () => {
    const glob = parseGlob('C:\\data\\train-*\\*.tfrecord');
    expect(glob.prefix).toBe('C:/data/');
    const inFolder = glob.after(glob.start, 'train-1');
    expect(glob.isEnd(glob.after(inFolder, 'a.tfrecord'))).toBe(true);
  });

  test('a path with the prefix for long paths is no pattern', () => {
    expect(isPattern('\\\\?\\C:\\data\\a.tfrecord')).toBe(false);
    expect(isPattern('C:\\data\\?.tfrecord')).toBe(true);
  });
});
