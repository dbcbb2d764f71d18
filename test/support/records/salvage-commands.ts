/** Salvages a damaged file with the command, for tests that know what a reader finds in it. */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { readRecordsSync, type LostRegion } from '../../../lib';
import type { ConvertReport } from '../../../lib/convert';
import { runHere, type HereResult } from '../running/run-here';
import type { Salvaged } from './salvaged';
import { FRAMING_BYTES } from './tfrecord';

interface RepairReport {
  readonly inputBytes: number;
  readonly compression: string;
  readonly records: number;
  readonly bytes: number;
  readonly lostBytes: number;
  readonly doubtful: number;
  readonly regions: readonly (LostRegion & { readonly lostBytes: number })[];
  readonly moreRegions: number;
}

/** Options of `convert`, and whether they keep the order of the records. */
const CONVERSIONS: readonly [options: readonly string[], inOrder: boolean][] = [
  [[], true],
  [['--shards', '3'], true],
  [['--compression', 'gzip', '--index'], true],
  [['--max-bytes', '100000', '--verify', 'none'], true],
  [['--shuffle', '1', '--shards', '2'], false],
  [['--split', 'a=0.5,b=0.5'], false],
];
/** Parts of a conversion that several processes share. */
const PARTS = 3;

/**
 * Checks what `repair` and `convert --on-error salvage` make of the file at `path`: exactly the records of `found`, which a reader
 * that salvages gave, in files that `verify` finds right; and reports of all that is lost. `turn` chooses the options of
 * `convert`, one after the other. Writes to a folder beside `path`, which it removes.
 */
export async function checkCommands(path: string, found: Salvaged, turn: number): Promise<void> {
  const folder = join(dirname(path), 'commands');
  mkdirSync(folder);
  try {
    await checkRepair(path, found, folder);
    const at = turn % (CONVERSIONS.length + 1);
    if (at < CONVERSIONS.length) await checkConvert(path, found, folder, ...CONVERSIONS[at]!);
    else await checkParts(path, found, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function checkRepair(path: string, found: Salvaged, folder: string): Promise<void> {
  const [out, reportFile] = [join(folder, 'repaired'), join(folder, 'report.json')];
  const { code, stdout } = await runHere(['repair', '--json', '--report', reportFile, path, out]);
  const { errors, regions, lostBytes } = found;
  expect(code).toBe(regions.length === 0 ? 0 : 1);
  if (found.records.length === 0 && regions.length > 0) {
    expect(readdirSync(folder)).toEqual([]);
    return;
  }
  await expectRecords([out], found, true);
  const report = JSON.parse(stdout) as RepairReport;
  expect(JSON.parse(readFileSync(reportFile, 'utf8'))).toEqual(report);
  const expected = regions.map((region, i) => ({ ...region, lostBytes: errors[i]!.lostBytes }));
  expect(report.regions).toMatchObject(expected);
  const doubtful = regions.reduce((sum, region) => sum + region.doubtful, 0);
  expect(report).toMatchObject({ records: found.records.length, lostBytes, doubtful, moreRegions: 0 });
  expect(report.regions.reduce((sum, region) => sum + region.lostBytes, 0)).toBe(lostBytes);
  const { size } = statSync(path);
  expect(report.inputBytes).toBe(size);
  if (report.compression === 'none') {
    expect(report.bytes + FRAMING_BYTES * report.records + report.lostBytes).toBe(size);
  }
}

async function checkConvert(
  path: string,
  found: Salvaged,
  folder: string,
  options: readonly string[],
  inOrder: boolean,
): Promise<void> {
  const { files, ...report } = await convert(path, join(folder, 'out'), options);
  await expectRecords(files, found, inOrder);
  const { records, regions, lostBytes } = found;
  expect(report).toMatchObject({ records: records.length, skipped: regions.length, bytesIn: statSync(path).size });
  // Where a region has no end, its size depends on how far inflating came before it noticed the damage.
  if (regions.every(({ end }) => end !== undefined)) expect(report.lostBytes).toBe(lostBytes);
}

/** The parts have each record once. Damage between two of them is in the reports of both. */
async function checkParts(path: string, found: Salvaged, folder: string): Promise<void> {
  const out = join(folder, 'out');
  let lostBytes = 0;
  for (let part = 0; part < PARTS; part++) {
    lostBytes += (await convert(path, out, ['--shard', `${part}/${PARTS}`])).lostBytes;
  }
  const merged = await runHere(['merge', '--json', out]);
  expect(merged).toMatchObject({ code: 0 });
  await expectRecords((JSON.parse(merged.stdout) as ConvertReport).files, found, true);
  if (found.regions.every(({ end }) => end !== undefined)) expect(lostBytes).toBeGreaterThanOrEqual(found.lostBytes);
}

async function convert(path: string, out: string, options: readonly string[]): Promise<ConvertReport> {
  const salvages = ['--on-error', 'salvage', '--allow-loss', '--to', 'tfrecord'];
  const result: HereResult = await runHere(['convert', '--json', ...salvages, ...options, path, out]);
  expect(result).toMatchObject({ code: 0 });
  return JSON.parse(result.stdout) as ConvertReport;
}

/** Checks the records of `files`, and that nothing is wrong with them. */
async function expectRecords(files: readonly string[], found: Salvaged, inOrder: boolean): Promise<void> {
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const got = files.flatMap((file) => [...readRecordsSync(file)].map(textOf));
  const expected = found.records.map(textOf);
  if (!inOrder) {
    got.sort();
    expected.sort();
  }
  expect(got.length).toBe(expected.length);
  expect(got.findIndex((record, i) => record !== expected[i])).toBe(-1);
  expect(await runHere(['verify', ...files])).toMatchObject({ code: 0 });
}

function textOf(record: Uint8Array): string {
  return Buffer.from(record).toString('latin1');
}
