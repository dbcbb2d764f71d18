/**
 * Reads every kind of damage from every source, in every way: the same records come first, then the same error.
 */
import { damageReader, isLong } from './damage-case';
import { PLAIN_DAMAGE } from './plain-cases';
import { STREAM_DAMAGE } from './stream-cases';

const expectEverywhere = damageReader();

// damage.slow.test.ts has the codecs.
test.each(PLAIN_DAMAGE.filter((damage) => !isLong(damage)))('damage within the records: $name', async (damage) => {
  await expectEverywhere(damage);
});

test.each(STREAM_DAMAGE.filter((damage) => !isLong(damage)))('damage of the whole stream: $name', async (damage) => {
  await expectEverywhere(damage);
});
