/** Injures TFRecord files at random, and knows which records were not touched. */
/** A file of records, before it is injured. */
export interface WholeFile {
  readonly bytes: Buffer;
  /** Offset of each record's header, and of the end. */
  readonly offsets: readonly number[];
}

export interface InjuredFile {
  readonly bytes: Buffer;
  /** Numbers of the records of which no byte was changed, cut out or moved apart. */
  readonly untouched: readonly number[];
  /** The injuries, for messages. */
  readonly injuries: readonly string[];
}

const KINDS = ['flip', 'cut', 'insert', 'zero'] as const;
const PAGE = 4096;

/** Returns `file` with `count` injuries: flipped bits, ranges cut out or inserted, pages of zeros. */
export function injure({ bytes, offsets }: WholeFile, count: number, random: () => number): InjuredFile {
  const below = (limit: number): number => Math.floor(random() * limit);
  const places = Array.from({ length: count }, () => below(bytes.length)).sort((a, b) => a - b);
  const injuries: string[] = [];
  const parts: Buffer[] = [];
  const touched: [from: number, to: number][] = [];
  let at = 0;
  for (const place of places) {
    if (place < at) continue;
    const kind = KINDS[below(KINDS.length)]!;
    parts.push(bytes.subarray(at, place));
    at = place;
    if (kind === 'flip') {
      const flipped = Buffer.from([bytes[place]! ^ (1 << below(8))]);
      parts.push(flipped);
      at++;
    } else if (kind === 'cut') {
      at = Math.min(bytes.length, place + 1 + below(below(2) === 0 ? 20 : 3 * PAGE));
    } else if (kind === 'insert') {
      const extra = Buffer.alloc(1 + below(below(2) === 0 ? 20 : PAGE));
      for (let i = 0; i < extra.length; i++) extra[i] = below(256);
      parts.push(extra);
    } else {
      at = Math.min(bytes.length, (Math.floor(place / PAGE) + 1) * PAGE);
      parts.push(Buffer.alloc(at - place));
    }
    touched.push([place, at]);
    injuries.push(`${kind} ${place}-${at}`);
  }
  parts.push(bytes.subarray(at));
  const untouched: number[] = [];
  for (let i = 0, injury = 0; i + 1 < offsets.length; i++) {
    const [start, end] = [offsets[i]!, offsets[i + 1]!];
    while (injury < touched.length && touched[injury]![1] <= start) injury++;
    const next = touched[injury];
    // An empty range is an insertion, which touches only the record around it.
    if (next === undefined || next[0] >= end) untouched.push(i);
  }
  return { bytes: Buffer.concat(parts), untouched, injuries };
}
