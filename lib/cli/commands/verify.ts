import pc from 'picocolors';

import { TFRecordError } from '../../errors';
import type { CommandDefinition, Context } from '../context';
import { addSummaryFlags, readOptions, type ReadFlags } from '../flags';
import { readBatches, Totals } from '../read-batches';
import type { Progress } from '../terminal/progress';
import { commandWording, explain, withoutOnError } from '../terminal/reporter';
import { wantsColor } from '../terminal/streams';
import { plural } from '../terminal/text';
import { lineJson, lineText } from '../terminal/text';

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
  /** The error because of which the file, or its rest, could not be read. It is not damage. */
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
  const colors = pc.createColors(wantsColor(streams.stdout, streams.env));

  const print = (fault: TFRecordError): void => {
    progress.clear();
    // The next flush throws an error of writing.
    out.line(`${colors.red('fault')}: ${withoutOnError(explain(fault))}`)?.catch(() => undefined);
  };

  try {
    for (const file of files) {
      const faults: object[] = [];
      const verdict = await verifyFile(file, flags, totals, progress, (fault) => {
        if (flags.json === true) faults.push(faultJson(fault));
        else print(fault);
      });
      if (verdict.faults > 0 || verdict.error !== undefined) reporter.fault();
      progress.clear();
      await out.line(flags.json === true ? lineJson(verdictJson(verdict, faults)) : summary(verdict, colors));
      await out.flush();
      if (out.closed) return;
    }
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
  let records = 0;
  let bytes = 0;
  const found = (fault: TFRecordError): 'skip' | 'throw' => {
    if (!fault.code.startsWith('TFR_')) return 'throw';
    faults++;
    report(fault);
    return 'skip';
  };
  const options = { ...readOptions(flags, found), onError: found };
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
  return { file, records, bytes, faults, error };
}

function verdictJson({ file, records, bytes, error }: Verdict, faults: readonly object[]): object {
  return {
    file,
    records,
    bytes,
    faults,
    error: error === undefined ? null : { code: error.code, message: commandWording(error) },
  };
}

function faultJson(fault: TFRecordError): object {
  const { code, record, offset, compressedOffset, expected, found } = fault;
  return { code, record, offset, compressedOffset, expected, found, message: withoutOnError(commandWording(fault)) };
}

function summary({ file, faults, records, bytes, error }: Verdict, colors: ReturnType<typeof pc.createColors>): string {
  const name = lineText(file);
  const whole = `${plural(records, 'record')}, ${plural(bytes, 'byte')}`;
  if (error !== undefined) {
    const before = records > 0 ? ` (${whole} whole before)` : '';
    return `${colors.red('cannot read')}: ${explain(error)}${before}`;
  }
  return faults === 0
    ? `${colors.green('ok')}: ${name}: ${whole}`
    : `${colors.red('damaged')}: ${name}: ${plural(faults, 'fault')}; ${whole} whole`;
}
