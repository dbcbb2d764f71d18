/** Files that begin like pictures of a size. What follows the header is arbitrary. */

export const PICTURE_FORMATS = ['jpeg', 'png', 'gif', 'webp', 'bmp'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** A picture of `width` times `height`, with `rest` behind its header. */
export function picture(
  format: PictureFormat,
  width: number,
  height: number,
  rest: Uint8Array = Buffer.from('rest'),
): Buffer {
  return Buffer.concat([HEADERS[format](width, height), rest]);
}

const HEADERS: Readonly<Record<PictureFormat, (width: number, height: number) => Buffer>> = {
  jpeg: (width, height) => jpeg(width, height, 16),
  png(width, height) {
    const head = Buffer.alloc(33);
    head.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
    head.writeUInt32BE(width, 16);
    head.writeUInt32BE(height, 20);
    return head;
  },
  gif(width, height) {
    const head = Buffer.alloc(13);
    head.write('GIF89a', 'latin1');
    head.writeUInt16LE(width, 6);
    head.writeUInt16LE(height, 8);
    return head;
  },
  webp(width, height) {
    const head = Buffer.alloc(30);
    head.write('RIFF\0\0\0\0WEBPVP8X\x0a', 'latin1');
    head.writeUIntLE(width - 1, 24, 3);
    head.writeUIntLE(height - 1, 27, 3);
    return head;
  },
  bmp(width, height) {
    const head = Buffer.alloc(54);
    head.write('BM', 'latin1');
    head.writeUInt32LE(40, 14);
    head.writeInt32LE(width, 18);
    head.writeInt32LE(height, 22);
    return head;
  },
};

/** The head of a JPEG with `metadata` bytes in front of the size, in segments. */
export function jpeg(width: number, height: number, metadata: number): Buffer {
  const parts = [Buffer.from('ffd8', 'hex')];
  for (let left = metadata; left > 0; left -= 65_000) {
    const size = Math.min(left, 65_000);
    const segment = Buffer.alloc(size + 4, 0x55);
    segment.writeUInt16BE(0xffe2, 0);
    segment.writeUInt16BE(size + 2, 2);
    parts.push(segment);
  }
  const frame = Buffer.from('ffc0001108000000000301220002110103110100'.slice(0, 38), 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([...parts, frame]);
}
