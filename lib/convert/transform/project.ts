import { type Bytes, type Origin } from '../../base';
import {
  FIELD_1,
  forEachEntry,
  isOtherMessage,
  NotAnExample,
  notAnExample,
  Wire,
  wireName,
  writeHeader,
} from '../../example';
import { newSlab } from '../../io';
import { encodedBatch, newBatch, partsOf, type RecordBatch } from '../../record';
import type { Faults } from '../format';
import type { FeatureChoice } from './feature-choice';

/**
 * Keeps, or leaves out, some features of Examples and SequenceExamples (of the context, and feature lists), byte by
 * byte. The rest of each record is unchanged.
 */
export class Projection {
  readonly #choice: FeatureChoice;
  /** For each feature of the choice: true once a record had it. */
  readonly #seen: Map<string, boolean>;

  constructor(choice: FeatureChoice) {
    this.#choice = choice;
    this.#seen = new Map(choice.names.map((name) => [wireName(name), false]));
  }

  /**
   * The records of `batch` with the kept features only. Leaves out records that are not Examples, if `faults` accepts
   * that.
   */
  apply(batch: RecordBatch, faults: Faults): RecordBatch {
    const file = batch.origin(0)?.file ?? '';
    // No record becomes longer.
    const slab = newSlab(batch.byteLength, file);
    const frames = new Uint32Array(2 * batch.length);
    const kept = new Uint32Array(batch.length);
    let count = 0;
    let end = 0;
    for (let i = 0; i < batch.length && !faults.stopped; i++) {
      const start = end;
      try {
        end = this.#project(batch.at(i)!, slab, start);
      } catch (error) {
        if (!(error instanceof NotAnExample)) throw error;
        faults.leaveOut(notAnExample(batch.at(i)!, batch.origin(i)!, 'whose features could be kept'));
        continue;
      }
      frames[2 * count] = start;
      frames[2 * count + 1] = end - start;
      kept[count++] = i;
    }
    const origins = (frame: number): Origin => batch.origin(kept[frame]!)!;
    return newBatch({ ...partsOf(encodedBatch(slab, frames)).source, file, origins }, 0, count);
  }

  /** @throws TFRecordError TFR_FEATURE for a feature that no record had */
  checkSeen(): void {
    this.#choice.checkAmong(new Set(this.#choice.names.filter((name) => this.#seen.get(wireName(name)) === true)));
  }

  /** Writes the projection of `record` to `target` at `at`. Returns its end. */
  #project(record: Bytes, target: Bytes, at: number): number {
    const wire = new Wire(record);
    const { bytes } = wire;
    // Each section becomes one field; a record may have a section in several parts, which protobuf joins.
    const sections: { tag: number; spans: number[]; size: number }[] = [];
    const sectionOf = (tag: number): (typeof sections)[number] => {
      const found = sections.find((section) => section.tag === tag);
      if (found !== undefined) return found;
      const added = { tag, spans: [], size: 0 };
      sections.push(added);
      return added;
    };
    /** True if the record has a feature of the choice. */
    let isNamed = false;
    forEachEntry(wire, ({ name, start, end }, tag) => {
      const { spans } = sectionOf(tag);
      const seen = this.#seen.get(name);
      if (seen === false) this.#seen.set(name, true);
      isNamed ||= seen !== undefined;
      if ((seen === undefined) !== this.#choice.excludes) return;
      if (spans.at(-1) === start) spans[spans.length - 1] = end;
      else spans.push(start, end);
    });
    if (!isNamed && isOtherMessage(record)) throw new NotAnExample();
    if (bytes.length > 0 && sections.length === 0) sectionOf(bytes[0] ?? FIELD_1);
    let end = at;
    for (const { tag, spans } of sections) {
      let size = 0;
      for (let i = 0; i < spans.length; i += 2) size += spans[i + 1]! - spans[i]!;
      end = writeHeader(target, end, tag, size);
      for (let i = 0; i < spans.length; i += 2) {
        target.set(bytes.subarray(spans[i], spans[i + 1]), end);
        end += spans[i + 1]! - spans[i]!;
      }
    }
    return end;
  }
}
