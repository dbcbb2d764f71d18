import { TextDecoder } from 'node:util';

import { viewOf } from '../../record';

/** Names that are remembered: as many, as long. */
const MAX_KNOWN = 64;
const MAX_KNOWN_BYTES = 64;
/** Up to this many bytes, ASCII is faster without the decoder. */
const SHORT = 32;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Names of features. Records that come one after the other mostly have the same names in the same order: comparing with
 * the last record's is quicker than making strings.
 */
export class DecodedNames {
  /** The last name at each position, when it is ASCII. */
  readonly #known = Array.from({ length: MAX_KNOWN }, () => '');

  /** The name in `size` bytes at `offset`, the record's `position`th; undefined when it is no UTF-8. */
  at(position: number, bytes: Uint8Array, offset: number, size: number): string | undefined {
    if (position >= MAX_KNOWN) return decodeName(bytes, offset, size);
    const known = this.#known[position]!;
    if (known.length === size && isAt(known, bytes, offset)) return known;
    const name = decodeName(bytes, offset, size);
    // As many characters as bytes: ASCII.
    if (name?.length === size && size <= MAX_KNOWN_BYTES) this.#known[position] = name;
    return name;
  }
}

function isAt(name: string, bytes: Uint8Array, offset: number): boolean {
  for (let i = 0; i < name.length; i++) {
    if (name.charCodeAt(i) !== bytes[offset + i]) return false;
  }
  return true;
}

function decodeName(bytes: Uint8Array, offset: number, size: number): string | undefined {
  if (size <= SHORT) {
    let name = '';
    let i = 0;
    for (; i < size; i++) {
      const byte = bytes[offset + i]!;
      if (byte >= 0x80) break;
      name += String.fromCharCode(byte);
    }
    if (i === size) return name;
  }
  try {
    return decoder.decode(viewOf(bytes, offset, offset + size));
  } catch {
    return undefined;
  }
}
