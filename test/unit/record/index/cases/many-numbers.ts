/**
 * Reads three million records by their numbers. Argument: a file of 200,000 records, whose first four bytes are their
 * numbers. Prints the milliseconds that this took, and the longest time in which the event loop did not turn.
 */
import { RecordIndex } from '../../../../../lib';
import { argument, say } from '../../../../support/running/case';

const COUNT = 200_000;
const numbers = Float64Array.from({ length: 3_000_000 }, (_, i) => (i * 7919) % COUNT);

void (async () => {
  const index = RecordIndex.scan(argument(0));
  await index.done;
  const begun = performance.now();
  let [last, longest] = [begun, 0];
  const ticks = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  const batch = await index.readBatch(numbers);
  const taken = performance.now() - begun;
  clearInterval(ticks);
  const wrong = numbers.findIndex(
    (number, i) => i % 1009 === 0 && new DataView(batch.at(i)!.slice().buffer).getUint32(0, true) !== number,
  );
  say({ taken, longest, records: batch.length, wrong });
  await index.close();
})();
