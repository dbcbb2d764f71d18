/** A list is worked off in its order, some items at a time; nothing goes on after the call. */
import { inParallel } from '../../../lib/base/in-parallel';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('begins in the order of the list, and has no more calls under way than allowed', async () => {
  const begun: string[] = [];
  let [underWay, most] = [0, 0];
  await inParallel(['a', 'b', 'c', 'd', 'e'], 2, async (item, index) => {
    begun.push(`${index}${item}`);
    most = Math.max(most, ++underWay);
    await tick();
    underWay--;
  });
  expect(begun).toEqual(['0a', '1b', '2c', '3d', '4e']);
  expect([underWay, most]).toEqual([0, 2]);
});

test('an empty list is done at once', async () => {
  await expect(inParallel([], 3, () => Promise.reject(new Error('called')))).resolves.toBeUndefined();
});

test('a failure lets calls under way end, and begins no more; the first item that failed counts', async () => {
  const ended: number[] = [];
  const work = async (item: number): Promise<void> => {
    // The second fails before the first.
    for (let i = 0; i < (item === 0 ? 3 : 1); i++) await tick();
    ended.push(item);
    if (item < 2) throw new Error(`item ${item}`);
  };
  await expect(inParallel([0, 1, 2, 3], 2, work)).rejects.toThrow('item 0');
  expect(ended).toEqual([1, 0]);
});
