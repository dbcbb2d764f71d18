/** Files and streams of Arrow, damaged at every byte. */
import { changeEvery, cutEvery } from './cases/arrow-ipc';

describe.each(['file', 'stream'] as const)('a %s', (form) => {
  test.each(['ours', 'theirs'] as const)('of %s', async (who) => {
    expect(await cutEvery(1, who, form)).toEqual(['TFR_TRUNCATED']);
    // Of five changes to each byte, one or two.
    expect(await changeEvery(3, who, form)).toBeLessThan(100);
  });
});
