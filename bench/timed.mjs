import fs from 'node:fs';

// 8 MB of objects, as in any real program. With the package that makes 14 MB of live heap: between 8.4 and 12 MB, V8 collects
// the whole heap up to 70 times a GB that is read (docs/performance.md), and a little more or less code of the package
// would decide whether a trial is within.
globalThis.ballast = Array.from({ length: 200_000 }, (_, i) => ({ i }));

/** Returns the largest resident size of this process in KiB. Not `maxRSS`, which starts at the parent's. */
export function peakKiB() {
  const found = /VmHWM:\s+(\d+)/.exec(fs.readFileSync('/proc/self/status', 'latin1'));
  return Number(found[1]);
}

/**
 * Runs `work` once untimed, then for at least `seconds` and at least three times. `prepare` runs untimed before each pass.
 * `work` resolves with the number of records. Resolves with the seconds of each pass, and as `processor` the user and
 * system time of each pass, in seconds.
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
