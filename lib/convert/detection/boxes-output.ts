/** Writes boxes as CSV: a row for each, as Roboflow and the tutorials of TensorFlow have them. */
import { APPENDABLE } from '../../io';
import { ByteOutput } from '../output/byte-output';
import { LineChunks } from '../output/line-chunks';
import { pixelsOf } from './box';
import type { Detected } from './detected';
import { detectionOutput, type DetectionWriter } from './detection-output';

const HEADER = ['filename', 'width', 'height', 'class', 'xmin', 'ymin', 'xmax', 'ymax'] as const;

export const boxesOutput = detectionOutput({
  isFolder: false,
  compressions: APPENDABLE,
  keeps: [],
  async open(target, { compression, level, signal }) {
    return new BoxRows(new LineChunks(await ByteOutput.open(target, compression, level, signal)));
  },
});

class BoxRows implements DetectionWriter {
  readonly #chunks: LineChunks;
  readonly #stringify: (rows: readonly unknown[][]) => string;

  constructor(chunks: LineChunks) {
    this.#chunks = chunks;
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when the first output is opened
    const { stringify } = require('csv-stringify/sync');
    this.#stringify = (rows) => stringify(rows as unknown[][]);
    chunks.text.text(this.#stringify([[...HEADER]]));
  }

  async write({ name, size, boxes }: Detected): Promise<void> {
    const rows = boxes.map(({ edges, name: className }) => {
      const { xmin, ymin, xmax, ymax } = pixelsOf(edges, size);
      return [name, size.width, size.height, className, xmin, ymin, xmax, ymax];
    });
    if (rows.length === 0) return;
    this.#chunks.text.text(this.#stringify(rows));
    await this.#chunks.added();
  }

  close(): Promise<number> {
    return this.#chunks.close();
  }

  abort(): Promise<void> {
    return this.#chunks.abort();
  }
}
