/** Patterns of tags, and texts of versions: what they tell, in time that grows with their length. */
import fc from 'fast-check';

import { readEvents } from '../../../lib';
import { tagMatcher } from '../../../lib/events/tag-patterns';
import { fileVersion, scalar } from '../../support/records/event-logs';
import { tfrecord } from '../../support/records/tfrecord';

test('a pattern tells what a regular expression tells', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '.', '\n', '😀', '\ud83d'), { maxLength: 8 });
  const pattern = fc.array(fc.constantFrom('a', 'b', '.', '*', '?', '😀'), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 2 }), text, (patterns, name) => {
      const tells = patterns.some((parts) => {
        const source = parts.map((part) => (part === '*' ? '.*' : part === '?' ? '.' : part === '.' ? '\\.' : part));
        return new RegExp(`^${source.join('')}$`, 'su').test(name.join(''));
      });
      expect(tagMatcher(patterns.map((parts) => parts.join('')))(name.join(''))).toBe(tells);
    }),
    { numRuns: 3000 },
  );
});

test('long tags and versions of one character that no pattern fits', async () => {
  const long = '1'.repeat(1_000_000);
  const bytes = tfrecord([fileVersion(`${long}x`), scalar(long, 1, 1), scalar('a', 1, 1)]);
  const tags: string[] = [];
  for await (const { tag } of readEvents(bytes, { tags: ['*1*2*', 'a'] })) tags.push(tag);
  expect(tags).toEqual(['a']);
});
