import pc from 'picocolors';

import { shownUrl, TFRecordError } from '../../../base';
import type { CommandDefinition, Context } from '../../context';
import { addSummaryFlags, type ReadFlags } from '../../flags';
import { readBatches, Totals } from '../../read-batches';
import type { Progress } from '../../terminal/progress';
import { explain } from '../../terminal/reporter';
import { acceptedWording, reportedAdvice, reportedError, type Flags } from '../../terminal/terms';
import { wantsColor } from '../../terminal/streams';
import { lineJson, fileText, plural, shellWord } from '../../terminal/text';
import { TfdsShards } from './tfds-shards';

interface VerifyFlags extends ReadFlags {
  readonly json?: boolean;
}

/** The result of checking one file. */
interface Verdict {
  readonly file: string;
  /** Number of undamaged records. */
  readonly records: number;
  /** Total size of their payloads. */
  readonly bytes: number;
  /** Number of faults in the data. */
  readonly faults: number;
  /** True if damage makes the rest of the file unreadable. */
  readonly lost: boolean;
  /** True if the file is intact, but contradicts `dataset_info.json`. */
  readonly contradicts?: boolean;
  /** The error, other than damage, because of which the file, or its rest, could not be read. */
  readonly error: TFRecordError | undefined;
}

export const verifyCommand: CommandDefinition = (program, begin) =>
  addSummaryFlags(
    program.command('verify').description('Read everything and report every fault: file, record and byte.'),
    { verify: false, onError: false },
  ).action((files: readonly string[], flags: VerifyFlags) => verify(files, flags, begin()));

/** Reads every file to its end and reports every fault, with its file, record and byte. */
async function verify(names: readonly string[], flags: VerifyFlags, context: Context): Promise<void> {
  const { out, reporter, streams } = context;
  const files = await context.files(names);
  const progress = await context.startProgress(files, flags.progress);
  const totals = new Totals();
  const shards = new TfdsShards();
  const named = new Set(names);
  const colors = pc.createColors(wantsColor(streams.stdout, streams.env));

  const print = (fault: TFRecordError): void => {
    progress.clear();
    // An error of writing is thrown by the next flush.
    out.line(`${colors.red('fault')}: ${explain(fault, context.flags, acceptedWording)}`)?.catch(() => undefined);
  };

  try {
    for (const file of files) {
      const faults: object[] = [];
      const report = (fault: TFRecordError): void => {
        if (flags.json === true) faults.push(faultJson(fault, context.flags));
        else print(fault);
      };
      const content = await verifyFile(file, flags, totals, progress, report);
      const verdict = await againstInfo(content, shards, named.has(file), report);
      if (verdict.faults > 0 || verdict.contradicts === true || verdict.error !== undefined) reporter.fault();
      progress.clear();
      await out.line(
        flags.json === true
          ? lineJson(verdictJson(verdict, faults, context.flags))
          : summary(verdict, colors, context.flags),
      );
      await out.flush();
      const cure = flags.json === true ? undefined : cureOf(verdict);
      if (cure !== undefined) reporter.note(cure);
      if (out.closed) return;
    }
    for (const error of shards.missing()) reporter.error(error);
  } finally {
    progress.clear();
  }
}

async function verifyFile(
  file: string,
  flags: VerifyFlags,
  totals: Totals,
  progress: Progress,
  report: (fault: TFRecordError) => void,
): Promise<Verdict> {
  let faults = 0;
  let lost = false;
  let records = 0;
  let bytes = 0;
  const found = (fault: TFRecordError): 'skip' | 'throw' => {
    if (!fault.code.startsWith('TFR_')) return 'throw';
    faults++;
    // Only after these faults the next record can be read.
    if (!SINGLE.has(fault.code)) lost = true;
    report(fault);
    return 'skip';
  };
  const { compression, maxRecordBytes } = flags;
  const options = { compression, maxRecordBytes, onError: found };
  let error: TFRecordError | undefined;
  try {
    const stats = await readBatches(file, options, (batch, soFar) => {
      records += batch.length;
      bytes += batch.byteLength;
      progress.update(totals.with(soFar));
      return true;
    });
    totals.add(stats);
  } catch (thrown) {
    if (!(thrown instanceof TFRecordError)) throw thrown;
    error = thrown;
  }
  return { file, records, bytes, faults, lost, error };
}

/**
 * Returns `verdict`, with one more fault if the file contradicts the `dataset_info.json` next to it. Damage explains a
 * wrong number of records, so only an intact file is checked.
 */
async function againstInfo(
  verdict: Verdict,
  shards: TfdsShards,
  named: boolean,
  report: (fault: TFRecordError) => void,
): Promise<Verdict> {
  const { file, records, faults, error } = verdict;
  if (file === '-' || error !== undefined) return verdict;
  const fault = await shards.check(file, records, named);
  if (fault === undefined || faults > 0) return verdict;
  report(fault);
  return { ...verdict, contradicts: true };
}

/** The codes of faults that affect one record only. */
const SINGLE: ReadonlySet<string> = new Set(['TFR_CORRUPT_DATA', 'TFR_RECORD_TOO_LARGE']);

/** Returns the command that saves the intact records of a damaged file; undefined if there are none. */
function cureOf({ file, records, faults, lost, error }: Verdict): string | undefined {
  if (faults === 0 || records === 0 || error !== undefined || file === '-') return undefined;
  const whole = `to save the ${plural(records, 'whole record')}`;
  if (!lost) return `${whole}: tfrecord convert --on-error skip ${shellWord(file)} OUT`;
  return `${whole}, and others that a search finds: tfrecord repair ${shellWord(file)} OUT`;
}

function verdictJson({ file, records, bytes, error }: Verdict, faults: readonly object[], flags: Flags): object {
  return {
    file: shownUrl(file),
    records,
    bytes,
    faults,
    error: error === undefined ? null : reportedError(error, flags),
  };
}

function faultJson(fault: TFRecordError, flags: Flags): object {
  const { code, record, offset, compressedOffset, expected, found } = fault;
  const message = acceptedWording(fault, flags);
  return { code, record, offset, compressedOffset, expected, found, message, ...reportedAdvice(fault, flags) };
}

function summary(
  { file, faults, records, bytes, contradicts, error }: Verdict,
  colors: ReturnType<typeof pc.createColors>,
  flags: Flags,
): string {
  const name = fileText(file);
  const whole = `${plural(records, 'record')}, ${plural(bytes, 'byte')}`;
  if (error !== undefined) {
    const before = records > 0 ? ` (${whole} whole before)` : '';
    return `${colors.red('cannot read')}: ${explain(error, flags)}${before}`;
  }
  if (contradicts === true) return `${colors.red('incomplete or wrong')}: ${name}: ${whole}`;
  return faults === 0
    ? `${colors.green('ok')}: ${name}: ${whole}`
    : `${colors.red('damaged')}: ${name}: ${plural(faults, 'fault')}; ${whole} whole`;
}
