/** The long cases of damage.test.ts, those in zlib, and damage to gzip members in our own layout. */
import { CODECS, compress } from '../support/records/tfrecord';
import { damageReader, isLong } from './damage-case';
import { MEMBER_DAMAGE } from './member-cases';
import { PLAIN_DAMAGE } from './plain-cases';
import { STREAM_DAMAGE } from './stream-cases';

const expectEverywhere = damageReader();

describe.each(CODECS)('damage within the records, codec %s', (codec) => {
  test.each(PLAIN_DAMAGE.filter(isLong))('$name', async (damage) => {
    await expectEverywhere(damage, compress(damage.bytes, codec));
  });
});

test.each(PLAIN_DAMAGE.filter((damage) => !isLong(damage)))(
  'damage within the records, zlib: $name',
  async (damage) => {
    await expectEverywhere(damage, compress(damage.bytes, 'zlib'));
  },
);

test.each(STREAM_DAMAGE.filter(isLong))('damage of the whole stream: $name', async (damage) => {
  await expectEverywhere(damage);
});

test.each(MEMBER_DAMAGE)('damage of members in our layout: $name', async (damage) => {
  await expectEverywhere(damage);
});
