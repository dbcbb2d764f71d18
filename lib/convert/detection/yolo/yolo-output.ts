/** Writes data sets of YOLO: `images`, `labels`, and `data.yaml`. */
import { counted } from '../../../base';
import type { JobNotes } from '../../job/notes';
import { shortest } from '../box';
import type { Detected } from '../detected';
import { detectionOutput, type DetectionWriter } from '../detection-output';
import { FolderFiles } from '../folder-files';
import type { Classes } from '../label-map';

export const yoloOutput = detectionOutput({
  isFolder: true,
  compressions: ['none'],
  keeps: [],
  open: async (target, { notes }) => new YoloWriter(await FolderFiles.create(target as string), notes),
});

class YoloWriter implements DetectionWriter {
  readonly #files: FolderFiles;
  readonly #notes: JobNotes;

  constructor(files: FolderFiles, notes: JobNotes) {
    this.#files = files;
    this.#notes = notes;
  }

  async write({ name, encoded, boxes }: Detected): Promise<void> {
    const lines = boxes.map(({ edges: { xmin, ymin, xmax, ymax }, label }) => {
      const [x, width] = sideOf(xmin, xmax);
      const [y, height] = sideOf(ymin, ymax);
      return `${label - 1} ${decimal(x)} ${decimal(y)} ${decimal(width)} ${decimal(height)}\n`;
    });
    // The labels first: pictures that differ only in their extensions would share them.
    await this.#files.write(`labels/${name.replace(/\.[^./]+$/, '.txt')}`, lines.join(''));
    await this.#files.write(`images/${name}`, encoded!);
  }

  async close(classes: Classes): Promise<number> {
    const { last, size } = classes;
    const names = Array.from({ length: last }, (_, i) => classes.nameOf(i + 1) ?? `unused-${i + 1}`);
    if (size < last)
      this.#notes.add(
        `${counted(last - size, 'number', undefined, 'numbers')} of classes have no name, because YOLO counts from 0 without gaps: data.yaml calls them unused.`,
      );
    const lines = names.map((name, i) => `  ${i}: ${JSON.stringify(name)}\n`);
    await this.#files.write('data.yaml', `train: images\nval: images\nnc: ${last}\nnames:\n${lines.join('')}`);
    return this.#files.bytes;
  }

  abort(): Promise<void> {
    return Promise.resolve();
  }
}

/** The middle and the length between two edges, with the fewest decimals that give them again. */
function sideOf(low: number, high: number): [number, number] {
  const [middle, length] = [(low + high) / 2, high - low];
  for (let decimals = 1; decimals <= 10; decimals++) {
    const [m, l] = [Number(middle.toFixed(decimals)), Number(length.toFixed(decimals))];
    if (Math.fround(m - l / 2) === low && Math.fround(m + l / 2) === high) return [m, l];
  }
  return [shortest(middle, (value) => value === middle), length];
}

/** Not every reader knows exponents. */
function decimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(12) : text;
}
