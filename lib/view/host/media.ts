import { pictureKind } from '../../example';
import type { Media } from '../protocol';

/** The sounds that browsers play, by their first bytes; a dot matches any byte. */
const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/^RIFF[^]{4}WAVE/, 'audio/wav'],
  [/^fLaC/, 'audio/flac'],
  [/^OggS/, 'audio/ogg'],
  [/^ID3/, 'audio/mpeg'],
  [/^\xff[\xfb\xf3\xf2]/, 'audio/mpeg'],
];

/** Minimum length of a picture or a sound. */
const FEWEST_BYTES = 24;

/** Returns how a page shows `bytes`, by their beginning; null if they are neither a picture nor a sound. */
export function mediaOf(bytes: Uint8Array): Media | null {
  if (bytes.length < FEWEST_BYTES) return null;
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const sound = SOUNDS.find(([beginning]) => beginning.test(start));
  if (sound !== undefined) return { as: 'audio', mime: sound[1], width: 0, height: 0 };
  // Texts may begin with the letters BM, so a picture must have a size, too.
  const picture = pictureKind(bytes);
  if (typeof picture === 'string') return null;
  return { as: 'picture', mime: `image/${picture.format}`, width: picture.width, height: picture.height };
}
