import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import type { Box, Client, Masks, Media, ValuePlace } from '../../protocol';
import { useValue, valueBytes } from '../model/pictures';

/** Colours of objects, which are distinguishable on light and on dark pictures. */
const COLORS = ['#ff5a4e', '#35c8ff', '#ffd23f', '#69e06f', '#ff7fd1', '#ff9d3c', '#a78bff', '#3fe0c5'] as const;

const colors = new Map<string, string>();

/**
 * Returns the colour of objects with this label: the same in all pictures, and a new one for each label as long as
 * there are any.
 */
function colorOf(label: string): string {
  const known = colors.get(label);
  if (known !== undefined) return known;
  const color = COLORS[colors.size % COLORS.length]!;
  colors.set(label, color);
  return color;
}

interface PictureProps {
  readonly client: Client;
  readonly file: number;
  readonly record: number;
  readonly place: ValuePlace;
  readonly media: Media;
  /** A description for users who do not see the picture. */
  readonly label: string;
  readonly boxes?: readonly Box[];
  readonly masks?: Masks | null;
  /** True if boxes have their labels beside them. */
  readonly named?: boolean;
}

/** A picture, with its objects drawn over it. */
export function Picture(props: PictureProps): ComponentChildren {
  const { client, file, record, place, media, label, boxes = [], masks = null, named = false } = props;
  const { url, error } = useValue(client, file, record, place, media.mime);
  const { width, height } = media;
  if (error !== undefined) return <p class="note">{error}</p>;
  return (
    <div class="picture" style={{ aspectRatio: `${width} / ${height}` }}>
      {url === undefined ? <div class="picture-wait" /> : <img src={url} alt={label} decoding="async" />}
      {masks === null || url === undefined ? null : (
        <MaskLayer client={client} file={file} record={record} masks={masks} boxes={boxes} />
      )}
      {boxes.length === 0 || url === undefined ? null : <BoxLayer boxes={boxes} media={media} named={named} />}
    </div>
  );
}

function BoxLayer({ boxes, media, named }: { boxes: readonly Box[]; media: Media; named: boolean }): ComponentChildren {
  const { width, height } = media;
  const text = Math.max(width, height) / 36;
  return (
    <svg class="layer" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {boxes.map(({ xmin, ymin, xmax, ymax, label }) => {
        const color = colorOf(label);
        const [x, y] = [xmin * width, ymin * height];
        const above = y > text * 1.4;
        return (
          <g>
            <rect
              x={x}
              y={y}
              width={Math.max(0, xmax - xmin) * width}
              height={Math.max(0, ymax - ymin) * height}
              fill="none"
              stroke={color}
              stroke-width="2"
              vector-effect="non-scaling-stroke"
            />
            {named && label !== '' ? (
              <g transform={`translate(${x} ${above ? y - text * 1.35 : y})`}>
                <rect width={label.length * text * 0.62 + text * 0.7} height={text * 1.35} fill={color} />
                <text x={text * 0.35} y={text} font-size={text} fill="#000">
                  {label}
                </text>
              </g>
            ) : null}
          </g>
        );
      })}
    </svg>
  );
}

interface MaskLayerProps {
  readonly client: Client;
  readonly file: number;
  readonly record: number;
  readonly masks: Masks;
  readonly boxes: readonly Box[];
}

/** Maximum number of masks to draw, and of pixels of a mask. */
const MAX_MASKS = 100;
const MAX_PIXELS = 2 ** 25;

function MaskLayer({ client, file, record, masks, boxes }: MaskLayerProps): ComponentChildren {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const cancel = new AbortController();
    const draw = async (): Promise<void> => {
      const context = canvas.current?.getContext('2d');
      if (context === null || context === undefined) return;
      for (let i = 0; i < Math.min(masks.count, MAX_MASKS); i++) {
        const color = colorOf(boxes[i]?.label ?? String(i));
        const mask =
          masks.as === 'numbers'
            ? numberMask(masks, i, color)
            : await pictureMask(client, file, record, i, color, cancel.signal);
        if (cancel.signal.aborted) return;
        if (mask !== undefined) context.drawImage(mask, 0, 0, masks.width, masks.height);
      }
    };
    void draw().catch(() => undefined);
    return () => cancel.abort(new Error('no longer shown'));
  }, [client, file, record, masks]);
  return <canvas ref={canvas} class="layer mask" width={masks.width} height={masks.height} aria-hidden="true" />;
}

function numberMask({ width, height, pixels }: Masks, index: number, color: string): OffscreenCanvas {
  const from = index * width * height;
  return tinted(width, height, color, (pixel) => pixels[from + pixel]! > 0);
}

/** Decodes a mask that is a picture: pixels that are neither black nor transparent belong to the object. */
async function pictureMask(
  client: Client,
  file: number,
  record: number,
  index: number,
  color: string,
  signal: AbortSignal,
): Promise<OffscreenCanvas | undefined> {
  const place = { section: 'context', name: 'image/object/mask', step: 0, index } as const;
  const blob = await valueBytes(client, { file, record, place }, signal);
  const bitmap = await createImageBitmap(blob).catch(() => undefined);
  if (bitmap === undefined) return undefined;
  try {
    if (bitmap.width * bitmap.height > MAX_PIXELS) return undefined;
    return tintedPicture(bitmap, color);
  } finally {
    // Otherwise its memory is in use until it is garbage collected.
    bitmap.close();
  }
}

function tintedPicture(bitmap: ImageBitmap, color: string): OffscreenCanvas {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return tinted(canvas.width, canvas.height, color, (pixel) => {
    const at = 4 * pixel;
    return data[at + 3]! > 0 && data[at]! + data[at + 1]! + data[at + 2]! > 0;
  });
}

function tinted(width: number, height: number, color: string, isIn: (pixel: number) => boolean): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(width, height);
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)) as [number, number, number];
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (isIn(pixel)) image.data.set([red, green, blue, 140], 4 * pixel);
  }
  context.putImageData(image, 0, 0);
  return canvas;
}
