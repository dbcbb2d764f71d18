import fs from 'node:fs';

// 4 MB of objects, as a program of any size holds. V8 marks the heap step by step only from about 8 MB on, which an
// empty program with this library just misses or just passes: without ballast, a little more code made trials look 1.5
// times slower.
globalThis.ballast = Array.from({ length: 100_000 }, (_, i) => ({ i }));

/** Largest resident size of this process in KiB. Not `maxRSS`: that starts at the parent's. */
export function peakKiB() {
  const found = /VmHWM:\s+(\d+)/.exec(fs.readFileSync('/proc/self/status', 'latin1'));
  return Number(found[1]);
}

/**
 * Runs `work` once untimed, then until `seconds` are full and three times at least,
 * `prepare` (untimed) before each. `work` resolves to the number of records. `processor`: user and system time of
 * each pass.
 */
export async function timed(work, seconds, prepare = () => {}) {
  prepare();
  const records = await work();
  const times = [];
  const processor = [];
  let total = 0;
  while (total < seconds || times.length < 3) {
    prepare();
    const usage = process.cpuUsage();
    const start = process.hrtime.bigint();
    const again = await work();
    times.push(Number(process.hrtime.bigint() - start) / 1e9);
    const { user, system } = process.cpuUsage(usage);
    processor.push((user + system) / 1e6);
    total += times.at(-1);
    if (again !== records) throw new Error(`the passes differ: ${records} and ${again} records`);
  }
  return { records, seconds: times, processor };
}
