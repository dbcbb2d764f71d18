/** `ordered: false` gives each element exactly once, wherever it stops. */
import { Dataset } from '../../../../lib';
import { ALL, COUNT, expectOnce, interleaved, mapped } from '../../../support/datasets/unordered';

let calls = 0;
/** The same, but slow for other elements each time. */
const fickle = async (n: number): Promise<number> => {
  for (let steps = (calls++ * 7) % 5; steps > 0; steps--) await Promise.resolve();
  return n;
};

describe('map', () => {
  test('each once, wherever it stops', async () => {
    await expectOnce(() => mapped(), ALL);
    await expectOnce(() => mapped(1), ALL);
    const kept = ALL.map((n) => n + 1).filter((n) => n % 5 !== 0);
    const behind = (): Dataset<number> =>
      Dataset.range(COUNT)
        .map(fickle, { parallel: 9, ordered: false })
        .map((n) => n + 1)
        .filter((n) => n % 5 !== 0)
        .prefetch(4)
        .take(1000);
    await expectOnce(behind, kept);
  });
});

describe('interleave', () => {
  test('each once, wherever it stops', async () => {
    await expectOnce(() => interleaved(), ALL);
    await expectOnce(() => interleaved(1), ALL);
    await expectOnce(() => interleaved(10).map((n) => n), ALL);
    await expectOnce(() => interleaved(2).repeat(2), [...ALL, ...ALL]);
  });
});
