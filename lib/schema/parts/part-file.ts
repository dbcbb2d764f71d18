/** The file of a part: its entries, as records. */
import { LoopTurns } from '../../base';
import type { MessageInit } from '../../example';
import { readRecords, RecordWriter } from '../../record';
import type { Survey, SurveyFindings } from '../../table';
import { PART_VERSION, PartEntryType, type PartEntry, type PartSlice, type PartTotals } from './part-entry';
import { isPossible } from './possible-entry';
import { surveyEntry } from './survey-state';
import { invalidPart } from './values-state';

/** Writes an entry. */
export type WriteEntry = (entry: MessageInit<PartEntry>) => Promise<void>;

/** A slice in a part. */
export interface PartOfSlice {
  readonly slice: PartSlice;
  readonly findings: SurveyFindings;
  /** Writes what follows the survey of feature `index`. */
  readonly ofFeature: (index: number, write: WriteEntry) => Promise<void>;
}

/** The content of a part besides the survey. */
export interface PartContent {
  /** Writes what follows the survey of feature `index`. */
  readonly ofFeature?: (index: number, write: WriteEntry) => Promise<void>;
  readonly slices?: readonly PartOfSlice[];
  /** Writes what follows all features. */
  readonly last?: (write: WriteEntry) => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

/** Writes a part to `path`, which must not exist. */
export async function writePart(
  path: string,
  survey: Survey,
  { ofFeature, slices = [], last, signal }: PartContent,
): Promise<void> {
  const writer = await RecordWriter.open(path, { signal, compression: 'none' });
  const write: WriteEntry = async (entry) => {
    await writer.write(PartEntryType.encode(entry));
  };
  try {
    await write({ totals: totalsOf(survey) });
    await writeFeatures(survey, ofFeature, write);
    for (const { slice, findings, ofFeature: ofSlice } of slices) {
      await write({ slice });
      await write({ totals: { records: findings.records, withLists: findings.withLists, version: PART_VERSION } });
      await writeFeatures(findings, ofSlice, write);
    }
    await last?.(write);
    await writer.close();
  } finally {
    await writer[Symbol.asyncDispose]();
  }
}

async function writeFeatures(
  { features }: SurveyFindings,
  ofFeature: PartContent['ofFeature'],
  write: WriteEntry,
): Promise<void> {
  for (const [i, feature] of features.entries()) {
    await write(surveyEntry(feature));
    await ofFeature?.(i, write);
  }
}

function totalsOf({ records, withLists, stats }: Survey): PartTotals {
  const { bytes, compressedBytes, skipped, lostBytes } = stats;
  return { records, withLists, bytes, compressedBytes, skipped, lostBytes, version: PART_VERSION };
}

/**
 * Calls `take` with the entries of the part at `path`, in order. @throws TFRecordError TFR_STATE_MISMATCH for a file that is
 * not one of a part; the errors of reading
 */
export async function readPart(
  path: string,
  take: (entry: PartEntry) => Promise<void> | void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const turns = new LoopTurns();
  let about: PartTotals | undefined;
  for await (const record of readRecords(path, { signal })) {
    const entry = decoded(record, path);
    const { totals } = entry;
    if ((totals !== undefined) === (about !== undefined)) throw invalidPart(path);
    if (totals !== undefined && totals.version !== PART_VERSION) throw invalidPart(path);
    about ??= totals!;
    if (!isPossible(entry, about)) throw invalidPart(path);
    // A slice has totals of its own.
    if (entry.slice !== undefined) about = undefined;
    await take(entry);
    await turns.breathe();
  }
  if (about === undefined) throw invalidPart(path);
}

function decoded(record: Uint8Array, path: string): PartEntry {
  try {
    return PartEntryType.decode(record);
  } catch {
    throw invalidPart(path);
  }
}
