/** Lines or rows as native functions take them. */

const encoder = new TextEncoder();

/** Returns the texts in a slab, one right behind the other, and their frames. */
export function textsInSlab(...texts: readonly string[]): [slab: Uint8Array, frames: Uint32Array] {
  const frames = new Uint32Array(2 * texts.length);
  let at = 0;
  for (const [i, text] of texts.entries()) {
    const { length } = encoder.encode(text);
    frames.set([at, length], 2 * i);
    at += length;
  }
  return [encoder.encode(texts.join('')), frames];
}
