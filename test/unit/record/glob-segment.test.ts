import { parseSegment } from '../../../lib/record/files/glob';

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
