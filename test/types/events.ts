/** The types of `readEvents`: the kinds that are asked for decide. */
import { expectTypeOf } from 'expect-type';
import { readEvents, type EventValue, type ImageEvent, type ScalarEvent } from 'tfrecord-native';

expectTypeOf(readEvents('runs')).toEqualTypeOf<AsyncIterableIterator<EventValue>>();
expectTypeOf(readEvents(['a', new URL('file:///b')], { kinds: ['scalar'] })).toEqualTypeOf<
  AsyncIterableIterator<ScalarEvent>
>();
expectTypeOf(readEvents(new Uint8Array(1), { kinds: ['scalar', 'image'], onError: 'skip' })).toEqualTypeOf<
  AsyncIterableIterator<ScalarEvent | ImageEvent>
>();
void readEvents('runs', { tags: ['loss*', 'acc'], keepRestarted: true, follow: true, pollMs: 1000 });

// @ts-expect-error no such kind
void readEvents('runs', { kinds: ['scalars'] });
// @ts-expect-error an unknown option
void readEvents('runs', { tag: 'loss' });
