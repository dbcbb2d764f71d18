/** Rules about pictures. */
import { grouped } from '../../base';
import type { DecodedFeature } from '../../example';
import type { BytesSummary, PictureFormat } from '../../table';
import type { FeatureMessage } from '../message/schema-message';
import { plural } from './anomaly';
import { percent } from './presence-rules';
import { featureRule, type FeatureRef, type Rule } from './rule';

/** The formats that TensorFlow decodes, and the first bytes of their files in Latin-1. */
const DECODED = { JPEG: '\xff\xd8\xff', PNG: '\x89PNG\r\n\x1a\n', GIF: 'GIF8', BMP: 'BM' } as const satisfies Partial<
  Record<PictureFormat, string>
>;
const FORMATS = Object.keys(DECODED) as (keyof typeof DECODED)[];
const BEGINNINGS = Object.values(DECODED);

/** The rules of an `image_domain`. */
export function pictureRules(place: FeatureRef, domain: NonNullable<FeatureMessage['imageDomain']>): Rule[] {
  const { minimumSupportedImageFraction: least, maxImageByteSize: most } = domain;
  return [
    ...(least === undefined ? [] : [formatRule(place, least)]),
    ...(most === undefined ? [] : [sizeRule(place, Number(most))]),
  ];
}

function formatRule(place: FeatureRef, least: number): Rule {
  const decodable = ({ pictures }: BytesSummary): number =>
    FORMATS.reduce((sum, format) => sum + (pictures[format] ?? 0), 0);
  return featureRule(place, {
    suspects: (own) => own?.bytes !== undefined && decodable(own.bytes) < own.counts!.total,
    breaks: (items) => someValue(items, (value) => !BEGINNINGS.some((beginning) => startsWith(value, beginning))),
    verdict: (all) => {
      if (all?.bytes === undefined) return [];
      const { total } = all.counts!;
      const good = decodable(all.bytes);
      if (good / total >= least) return [];
      const message = `${grouped(good)} of ${plural(total, 'value')} are pictures in formats that TensorFlow decodes, but at least ${percent(least)} should be.`;
      return [{ type: 'LOW_SUPPORTED_IMAGE_FRACTION', message }];
    },
  });
}

function sizeRule(place: FeatureRef, most: number): Rule {
  return featureRule(place, {
    suspects: (own) => (own?.bytes?.lengths.max ?? 0) > most,
    breaks: (items) => someValue(items, ({ length }) => length > most),
    verdict: (all) => {
      const size = all?.bytes?.lengths.max ?? 0;
      if (size <= most) return [];
      return [
        {
          type: 'MAX_IMAGE_BYTE_SIZE_EXCEEDED',
          message: `The largest value has ${plural(size, 'byte')}, but the schema allows at most ${plural(most, 'byte')}.`,
        },
      ];
    },
  });
}

function someValue(
  items: readonly (DecodedFeature | undefined)[] | undefined,
  test: (value: Uint8Array) => boolean,
): boolean {
  for (const item of items ?? []) {
    if (item?.kind !== 'bytes') continue;
    for (const value of item.values) if (test(value)) return true;
  }
  return false;
}

function startsWith(value: Uint8Array, beginning: string): boolean {
  return Buffer.from(value.buffer, value.byteOffset, Math.min(value.length, 8))
    .toString('latin1')
    .startsWith(beginning);
}
