/** Writes data sets of Pascal VOC: `Annotations` and `JPEGImages`. */
import { basename } from 'node:path/posix';

import { counted, tfrecordError, worded } from '../../../base';
import type { JobNotes } from '../../job/notes';
import { pixelsOf } from '../box';
import type { Detected } from '../detected';
import { detectionOutput, type DetectionWriter } from '../detection-output';
import { FolderFiles } from '../folder-files';
import { escaped } from './voc-xml';

export const vocOutput = detectionOutput({
  isFolder: true,
  compressions: ['none'],
  keeps: ['difficult', 'truncated', 'view'],
  open: async (target, { notes }) => new VocWriter(await FolderFiles.create(target as string), notes),
});

class VocWriter implements DetectionWriter {
  readonly #files: FolderFiles;
  readonly #notes: JobNotes;
  #rounded = 0;

  constructor(files: FolderFiles, notes: JobNotes) {
    this.#files = files;
    this.#notes = notes;
  }

  async write(picture: Detected): Promise<void> {
    const { name, size, encoded, boxes } = picture;
    let rounded = 0;
    const objects = boxes.map(({ edges, name: className, more }) => {
      if (/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|^\s|\s$/.test(className)) throw noXml(className);
      const pixels = pixelsOf(edges, size);
      const [xmin, ymin] = [
        Math.min(Math.round(pixels.xmin), size.width - 1),
        Math.min(Math.round(pixels.ymin), size.height - 1),
      ];
      const [xmax, ymax] = [Math.max(Math.round(pixels.xmax), xmin + 1), Math.max(Math.round(pixels.ymax), ymin + 1)];
      const isExact = xmin === pixels.xmin && ymin === pixels.ymin && xmax === pixels.xmax && ymax === pixels.ymax;
      if (!isExact) rounded++;
      const view = String(more.view ?? '');
      return [
        '\t<object>',
        `\t\t<name>${escaped(className)}</name>`,
        `\t\t<pose>${escaped(view === '' ? 'Unspecified' : view)}</pose>`,
        `\t\t<truncated>${more.truncated ?? 0}</truncated>`,
        `\t\t<difficult>${more.difficult ?? 0}</difficult>`,
        // Pixels are counted from 1, and both edges belong to the box.
        `\t\t<bndbox>`,
        `\t\t\t<xmin>${xmin + 1}</xmin>`,
        `\t\t\t<ymin>${ymin + 1}</ymin>`,
        `\t\t\t<xmax>${xmax}</xmax>`,
        `\t\t\t<ymax>${ymax}</ymax>`,
        `\t\t</bndbox>`,
        '\t</object>',
      ];
    });
    const document = [
      '<annotation>',
      `\t<folder>JPEGImages</folder>`,
      `\t<filename>${escaped(name)}</filename>`,
      '\t<size>',
      `\t\t<width>${size.width}</width>`,
      `\t\t<height>${size.height}</height>`,
      '\t</size>',
      '\t<segmented>0</segmented>',
      ...objects.flat(),
      '</annotation>',
      '',
    ].join('\n');
    // The document first: pictures that differ only in their extensions would share it.
    await this.#files.write(
      `Annotations/${name.slice(0, -basename(name).length)}${basename(name).replace(/\.[^.]+$/, '')}.xml`,
      document,
    );
    await this.#files.write(`JPEGImages/${name}`, encoded!);
    this.#rounded += rounded;
  }

  close(): Promise<number> {
    if (this.#rounded > 0)
      this.#notes.add(
        `${counted(this.#rounded, 'box', undefined, 'boxes')} ${this.#rounded === 1 ? 'was' : 'were'} rounded to whole pixels, which Pascal VOC has.`,
      );
    return Promise.resolve(this.#files.bytes);
  }

  abort(): Promise<void> {
    return Promise.resolve();
  }
}

function noXml(name: string): Error {
  const [feature, expected, found] = ['image/object/class/text', 'text that XML can hold', JSON.stringify(name)];
  const message = worded`feature ${JSON.stringify(feature)}: expected ${expected}, found ${found}`;
  return tfrecordError('TFR_FEATURE', message, { feature, expected, found });
}
