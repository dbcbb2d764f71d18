/** Writes pictures and their boxes in the formats of object detection. */
import { counted, LoopTurns, placedError, TFRecordError, type Compression } from '../../base';
import type { WriteTarget } from '../../io';
import type { RecordBatch } from '../../record';
import type { OutputFormat, OutputSink, WriteSettings, WrittenOutput } from '../format';
import { MORE_NAMES, type MoreName } from './box';
import { DetectedRecords, type Detected } from './detected';
import { Classes, readLabelMap } from './label-map';

/** Writes pictures and boxes in one format. */
export interface DetectionWriter {
  /** @throws TFRecordError if the picture cannot be written; then nothing of it is */
  write(picture: Detected): Promise<void>;
  /** Completes the output. Resolves with its size. `classes`: all that its boxes have, or that the label map has. */
  close(classes: Classes): Promise<number>;
  /** Never rejects. */
  abort(): Promise<void>;
}

export interface DetectionWriting {
  /** True for a folder, which `open` makes. */
  readonly isFolder: boolean;
  readonly compressions: readonly Compression[];
  /** Features of boxes that the format has. Notes say that others are left out. */
  readonly keeps: readonly MoreName[];
  readonly open: (target: WriteTarget, settings: WriteSettings) => Promise<DetectionWriter>;
}

/** Features of boxes that mean nothing if they have this value. */
const NOTHING: readonly unknown[] = [0, '', 'Unspecified'];

export function detectionOutput({ isFolder, compressions, keeps, open }: DetectionWriting): OutputFormat {
  return {
    uses: ['labelMap'],
    isFolder,
    compressions,
    async open(target, settings) {
      const { labelMap } = settings;
      const map = labelMap === undefined ? undefined : await readLabelMap(labelMap);
      if (labelMap !== undefined && map === undefined)
        throw new TFRecordError('ENOENT', `ENOENT: no such label map, '${labelMap}'`, { file: labelMap });
      const classes = map ?? new Classes();
      const records = new DetectedRecords(classes, map !== undefined, isFolder);
      return new DetectionSink(await open(target, settings), records, classes, keeps, settings);
    },
  };
}

class DetectionSink implements OutputSink {
  readonly #writer: DetectionWriter;
  readonly #detected: DetectedRecords;
  readonly #classes: Classes;
  readonly #keeps: readonly MoreName[];
  readonly #settings: WriteSettings;
  readonly #turns = new LoopTurns();
  readonly #lost = new Map<MoreName, number>();
  #records = 0;
  #number = 0;

  constructor(
    writer: DetectionWriter,
    detected: DetectedRecords,
    classes: Classes,
    keeps: readonly MoreName[],
    settings: WriteSettings,
  ) {
    this.#writer = writer;
    this.#detected = detected;
    this.#classes = classes;
    this.#keeps = keeps;
    this.#settings = settings;
  }

  async write(batch: RecordBatch): Promise<void> {
    const { faults, signal } = this.#settings;
    for (let i = 0; i < batch.length && !faults.stopped; i++) {
      signal?.throwIfAborted();
      await this.#turns.breathe();
      await this.#add(batch, i);
    }
  }

  async close(): Promise<WrittenOutput> {
    const fileBytes = await this.#writer.close(this.#classes);
    for (const [name, count] of this.#lost)
      this.#settings.notes.add(
        `The output has no place for image/object/${name}: ${counted(count, 'box', undefined, 'boxes')} lost it.`,
      );
    return { records: this.#records, fileBytes };
  }

  abort(): Promise<void> {
    return this.#writer.abort();
  }

  /** Leaves the record, or one of its boxes, out if it cannot be written and the caller accepts that. */
  async #add(batch: RecordBatch, i: number): Promise<void> {
    const { faults } = this.#settings;
    const origin = batch.origin(i)!;
    try {
      const picture = this.#detected.of(batch.at(i)!, origin, this.#number++);
      for (const fault of picture.faults) faults.leaveOut(fault);
      if (faults.stopped) return;
      await this.#writer.write(picture);
      this.#records++;
      this.#noteLost(picture);
    } catch (error) {
      if (!(error instanceof TFRecordError) || !OF_RECORDS.includes(error.code)) throw error;
      faults.leaveOut(placedError(error, origin));
    }
  }

  #noteLost({ boxes }: Detected): void {
    for (const name of MORE_NAMES) {
      if (this.#keeps.includes(name)) continue;
      const count = boxes.filter(({ more }) => more[name] !== undefined && !NOTHING.includes(more[name])).length;
      if (count > 0) this.#lost.set(name, (this.#lost.get(name) ?? 0) + count);
    }
  }
}

/** Codes of errors about a record, not about the output. */
const OF_RECORDS: readonly string[] = ['TFR_FEATURE', 'TFR_EXAMPLE'];
