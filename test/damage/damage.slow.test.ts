/** The damage of damage.test.ts within every codec, its long cases, and damage to gzip members in our own layout. */
import { CODECS, compress } from '../support/records/tfrecord';
import { damageReader, isLong } from './damage-case';
import { MEMBER_DAMAGE } from './member-cases';
import { PLAIN_DAMAGE } from './plain-cases';
import { STREAM_DAMAGE } from './stream-cases';

const expectEverywhere = damageReader();

const compressed = CODECS.filter((codec) => codec !== 'none');

describe.each(compressed)('damage within the records, codec %s', (codec) => {
  test.each(PLAIN_DAMAGE)('$name', async (damage) => {
    await expectEverywhere(damage, compress(damage.bytes, codec));
  });
});

test.each(PLAIN_DAMAGE.filter(isLong))('damage within the records: $name', async (damage) => {
  await expectEverywhere(damage);
});

test.each(STREAM_DAMAGE.filter(isLong))('damage of the whole stream: $name', async (damage) => {
  await expectEverywhere(damage);
});

test.each(MEMBER_DAMAGE)('damage of members in our layout: $name', async (damage) => {
  await expectEverywhere(damage);
});
