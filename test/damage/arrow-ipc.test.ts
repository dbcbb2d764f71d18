/** Damaged files and streams of Arrow: an error, or rows; never a crash, a hang, or memory for what is not there. */
import { changeEvery, cutEvery, outcome, WHOLE } from './cases/arrow-ipc';

describe.each(['file', 'stream'] as const)('a %s', (form) => {
  test.each(['ours', 'theirs'] as const)('of %s, cut or changed', async (who) => {
    const [whole, rows] = WHOLE[who];
    expect(await outcome(await whole(form), form)).toHaveLength(rows);
    expect(await cutEvery(23, who, form)).toEqual(['TFR_TRUNCATED']);
    expect(await changeEvery(67, who, form)).toBeLessThan(100);
  });
});

test('sizes that are not there take no memory', async () => {
  const stream = await WHOLE.ours[0]('stream');
  const long = Buffer.concat([stream.subarray(0, 4), Buffer.from([0xf0, 0xff, 0xff, 0x7f]), stream.subarray(8)]);
  expect(await outcome(long, 'stream')).toBe('TFR_TRUNCATED');
  const file = await WHOLE.ours[0]('file');
  for (const length of [0x7fff_ffff, -1, 0]) {
    file.writeInt32LE(length, file.length - 10);
    expect(await outcome(file, 'file')).toBe('TFR_DECODE');
  }
});

test('what is no Arrow, or is the other form', async () => {
  expect(await outcome(await WHOLE.ours[0]('file'), 'stream')).toBe('TFR_DECODE');
  expect(await outcome(await WHOLE.ours[0]('stream'), 'file')).toBe('TFR_TRUNCATED');
  expect(await outcome(Buffer.from('{"a":1}\n'), 'stream')).toBe('TFR_DECODE');
});
