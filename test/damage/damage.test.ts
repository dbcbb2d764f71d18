/**
 * Reads every kind of damage from every source, in every way and codec: the same records come first, then the same
 * error.
 */
import { CODECS, compress } from '../support/records/tfrecord';
import { damageReader, isLong } from './damage-case';
import { PLAIN_DAMAGE } from './plain-cases';
import { STREAM_DAMAGE } from './stream-cases';

const expectEverywhere = damageReader();

// damage.slow.test.ts has the other codec.
describe.each(CODECS.filter((codec) => codec !== 'zlib'))('damage within the records, codec %s', (codec) => {
  test.each(PLAIN_DAMAGE.filter((damage) => !isLong(damage)))('$name', async (damage) => {
    await expectEverywhere(damage, compress(damage.bytes, codec));
  });
});

test.each(STREAM_DAMAGE.filter((damage) => !isLong(damage)))('damage of the whole stream: $name', async (damage) => {
  await expectEverywhere(damage);
});
