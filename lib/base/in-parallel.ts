/**
 * Calls `work` for the items of `list` in their order, `most` at a time. After a failure, no further call begins. Rejects with the
 * error of the first item that failed, once all calls have ended, so that nothing goes on in the background.
 */
export async function inParallel<T>(
  list: Iterable<T>,
  most: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const items = list[Symbol.iterator]();
  let begun = 0;
  const failures: { readonly index: number; readonly error: unknown }[] = [];
  const worker = async (): Promise<void> => {
    while (failures.length === 0) {
      const item = items.next();
      if (item.done === true) return;
      const index = begun++;
      try {
        await work(item.value, index);
      } catch (error) {
        failures.push({ index, error });
      }
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
  const [first] = failures.sort((a, b) => a.index - b.index);
  if (first !== undefined) throw first.error;
}
