import pc from 'picocolors';

import { TFRecordError } from '../errors';
import type { Context } from './context';
import { plural } from './plural';
import type { Progress } from './progress';
import { readBatches, Totals } from './read-batches';
import { readOptions, type ReadFlags } from './read-flags';
import { commandWording, explain } from './reporter';
import { wantsColor } from './streams';

export interface VerifyFlags extends ReadFlags {
  readonly json?: boolean;
}

/** What is known of one file at its end. */
interface Verdict {
  readonly file: string;
  /** Records that are whole, and the bytes of their payloads. */
  readonly records: number;
  readonly bytes: number;
  readonly faults: number;
}

/** `tfrecord verify`: reads all of every file and tells every fault, with its file, record and byte. */
export async function verify(names: readonly string[], flags: VerifyFlags, context: Context): Promise<void> {
  const { out, reporter, streams } = context;
  const files = await context.files(names);
  const progress = await context.startProgress(files, flags.progress);
  const totals = new Totals();
  const colors = pc.createColors(wantsColor(streams.stdout, streams.env));

  const tell = (fault: TFRecordError): void => {
    progress.clear();
    // What fails here is thrown by the next flush.
    out.line(`${colors.red('fault')}: ${explain(fault)}`)?.catch(() => undefined);
  };

  try {
    for (const file of files) {
      const faults: object[] = [];
      const verdict = await verifyFile(file, flags, totals, progress, (fault) => {
        if (flags.json === true) faults.push(faultJson(fault));
        else tell(fault);
      });
      if (verdict.faults > 0) reporter.fault();
      progress.clear();
      await out.line(flags.json === true ? JSON.stringify({ ...verdict, faults }) : summary(verdict, colors));
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
  tell: (fault: TFRecordError) => void,
): Promise<Verdict> {
  let faults = 0;
  let records = 0;
  let bytes = 0;
  const found = (fault: TFRecordError): 'skip' => {
    faults++;
    tell(fault);
    return 'skip';
  };
  const options = { ...readOptions(flags, found), onError: found };
  try {
    const stats = await readBatches(file, options, (batch, soFar) => {
      records += batch.length;
      bytes += batch.byteLength;
      progress.update(totals.with(soFar));
      return true;
    });
    totals.add(stats);
  } catch (error) {
    // What cannot be skipped: a file that is not there, or not readable.
    if (!(error instanceof TFRecordError)) throw error;
    found(error);
  }
  return { file, records, bytes, faults };
}

function faultJson(fault: TFRecordError): object {
  const { code, record, offset, compressedOffset, expected, found } = fault;
  return { code, record, offset, compressedOffset, expected, found, message: commandWording(fault) };
}

function summary({ file, faults, records, bytes }: Verdict, colors: ReturnType<typeof pc.createColors>): string {
  const whole = `${plural(records, 'record')}, ${plural(bytes, 'byte')}`;
  return faults === 0
    ? `${colors.green('ok')}: ${file}: ${whole}`
    : `${colors.red('damaged')}: ${file}: ${plural(faults, 'fault')}; ${whole} whole`;
}
