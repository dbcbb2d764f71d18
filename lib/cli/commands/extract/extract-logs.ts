/** Writes the pictures, sounds, texts and histograms of TensorBoard's logs to files of their own. */
import { InvalidArgumentError, Option } from 'commander';
import { stat } from 'node:fs/promises';

import { TFRecordError } from '../../../base';
import type { EventValue } from '../../../events';
import type { Context } from '../../context';
import { shownJson } from '../../duckdb-json';
import { readOptions, type ReadFlags } from '../../flags';
import { onDemand } from '../../on-demand';
import { UsageError } from '../../terminal/reporter';
import { lineJson, lineText } from '../../terminal/text';
import { extensionOf, safeSegment } from './file-names';
import { ValueFiles } from './value-files';

/** The flags of extracting logs. */
export interface LogFlags extends ReadFlags {
  readonly output: string;
  readonly extension?: string;
  readonly kind?: readonly LogKind[];
  readonly tag?: readonly string[];
  readonly maxCount?: number;
  readonly force?: boolean;
  readonly json?: boolean;
}

const KINDS = ['image', 'audio', 'text', 'histogram'] as const;
type LogKind = (typeof KINDS)[number];
/** Number of digits of steps, so that names sort like them. */
const DIGITS = 8;
/** Maximum number of folders for a run, and for a tag: what follows is one name. */
const MAX_LEVELS = 8;

/** The option that chooses kinds of values. */
export function kindOption(): Option {
  return new Option('--kind <kind>', 'of logs, only image, audio, text or histogram; may be repeated').argParser(
    (text: string, before: readonly LogKind[] | undefined) => {
      const kind = KINDS.find((one) => one === text);
      if (kind === undefined) throw new InvalidArgumentError(`Expected one of ${KINDS.join(', ')}.`);
      return [...(before ?? []), kind];
    },
  );
}

/** True if all of `names` are event files, by their names, or folders that hold some. */
export async function areLogs(names: readonly string[], signal: AbortSignal): Promise<boolean> {
  const { isEventFile, hasLogs } = onDemand.events;
  for (const name of names) {
    if (!isEventFile(name.split(/[\\/]/).at(-1)!) && !(await hasLogs(name, signal))) return false;
  }
  return names.length > 0;
}

/** @throws UsageError if the name of the folder to write is that of a file */
export async function checkFolder(output: string): Promise<void> {
  const folder = await stat(output).catch(() => undefined);
  if (folder?.isDirectory() === false) throw new UsageError(`-o needs a folder, and ${lineText(output)} is a file`);
}

/** Writes the values of the logs `names`. */
export async function extractLogs(
  names: readonly string[],
  flags: LogFlags,
  { out, reporter }: Context,
  signal: AbortSignal,
): Promise<void> {
  const { kind = KINDS, tag: tags, output, force, maxCount = Infinity, json } = flags;
  const { eventBlocks } = onDemand.events;
  const files = new ValueFiles(output, force === true, signal);
  const paths = new Paths();
  const source = eventBlocks(names as string[], { ...readOptions(flags, reporter), tags, kinds: kind, signal });
  let values = 0;
  let failed = false;
  try {
    blocks: for await (const block of source.blocks) {
      for (let row = 0; row < block.rows; row++) {
        if (files.count >= maxCount) break blocks;
        const value = block.value(row);
        values++;
        const parts = partsOf(value).slice(0, maxCount - files.count);
        const isOne = parts.length === 1 && countOf(value) === 1;
        for (const [i, { bytes, type }] of parts.entries()) {
          const name = stepName(value.step) + (isOne ? '' : `-${i}`);
          const segments = paths.next([...folders(value.run), ...folders(value.tag)], name, flags.extension ?? type);
          await files.write(segments, bytes, type);
        }
      }
    }
    await files.end();
  } catch (error) {
    // The values before the damage are written.
    if (!(error instanceof TFRecordError) || signal.aborted) throw error;
    reporter.error(error);
    failed = true;
  } finally {
    await files.settle();
    await source.close();
  }
  if (files.count === 0 && !failed && maxCount > 0) {
    reporter.note('no picture, sound, text or histogram was found');
    reporter.fault();
  }
  const { types, ...summary } = files.summary;
  await out.line(json === true ? lineJson({ ...summary, values, types }) : files.text);
}

/** The content of a file. */
interface Part {
  readonly bytes: Uint8Array;
  readonly type: string;
}

function partsOf(value: EventValue): readonly Part[] {
  switch (value.kind) {
    case 'image':
      return value.images.map((bytes) => ({ bytes, type: extensionOf(bytes) }));
    case 'audio':
      return value.clips.map((bytes) => ({ bytes, type: extensionOf(bytes) }));
    case 'text':
      return value.texts.map((text) => ({ bytes: Buffer.from(text), type: 'txt' }));
    case 'histogram':
      return [{ bytes: Buffer.from(bucketsText(value)), type: 'csv' }];
    default:
      return [];
  }
}

/** Number of files of a value. */
function countOf(value: EventValue): number {
  if (value.kind === 'image') return value.images.length;
  if (value.kind === 'audio') return value.clips.length;
  return value.kind === 'text' ? value.texts.length : 1;
}

function bucketsText({ left, right, count }: Extract<EventValue, { kind: 'histogram' }>): string {
  const { float64Json } = onDemand.example;
  const shown = (value: number): string => shownJson(float64Json(value));
  const lines = Array.from(left, (from, i) => `${shown(from)},${shown(right[i]!)},${shown(count[i]!)}\n`);
  return `left,right,count\n${lines.join('')}`;
}

function stepName(step: bigint): string {
  return step < 0n ? `-${String(-step).padStart(DIGITS, '0')}` : String(step).padStart(DIGITS, '0');
}

/** The folders for a run or a tag. They are within the folder above, whatever its name is. */
function folders(name: string): string[] {
  const levels = name.split('/').filter((level) => level !== '' && level !== '.');
  const deepest = levels.splice(MAX_LEVELS - 1).join('/');
  return [...levels, ...(deepest === '' ? [] : [deepest])].map(safeSegment);
}

/** Gives each file a path of its own, also where names that differ only in case are the same. */
class Paths {
  /** Number of files that wanted a path. */
  readonly #wanted = new Map<string, number>();

  next(folder: readonly string[], name: string, extension: string): string[] {
    const key = [...folder, `${name}.${extension}`].join('/').normalize('NFC').toLowerCase();
    const number = (this.#wanted.get(key) ?? 0) + 1;
    this.#wanted.set(key, number);
    // Names of steps have no _.
    return [...folder, `${name}${number === 1 ? '' : `_${number}`}.${extension}`];
  }
}
