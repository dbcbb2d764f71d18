/** Files and streams of Arrow, damaged at every byte. */
import { changeEvery, cutEvery } from './cases/arrow-ipc';

describe.each(['file', 'stream'] as const)('a %s', (form) => {
  test.each(['ours', 'theirs'] as const)('of %s', async (who) => {
    expect(await cutEvery(1, who, form)).toEqual(['TFR_TRUNCATED']);
    expect(await changeEvery(1, who, form)).toBeLessThan(100);
  });
});
