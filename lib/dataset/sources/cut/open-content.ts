import { TFRecordError } from '../../../errors';
import type { ChunkPull, Compression, CompressionOption } from '../../../record';
import { contentKind, PROBE_BYTES, startsStream } from './content-kind';
import type { ByteSource } from './cut-plan';
import { PullInflated } from './pull-inflated';

/** The content of a file, inflated where it is compressed. */
export interface Content {
  readonly pull: ChunkPull;
  readonly kind: Compression;
}

/**
 * The content of `raw`, the bytes of `source`. Closing it closes `raw`. @throws TFRecordError TFR_COMPRESSION where it is of
 * another kind than `compression`
 */
export async function openContent(
  raw: ChunkPull,
  source: ByteSource,
  compression: CompressionOption,
): Promise<Content> {
  if (compression === 'none') return { pull: raw, kind: 'none' };
  const head = await probe(raw);
  if (head.length === 0) return { pull: raw, kind: 'none' };
  const { file } = source;
  const found = contentKind(head, head.length < PROBE_BYTES);
  if (compression !== 'auto' && found !== compression && !startsStream(head, compression)) {
    throw otherKind(file, compression, found);
  }
  const kind = compression === 'auto' ? found : compression;
  const input = withHead(head, raw);
  if (kind === 'none') return { pull: input, kind };
  const again = source.ahead ? (): ChunkPull => source.open(0) : undefined;
  return { pull: new PullInflated({ file, kind, input, again }), kind };
}

function otherKind(file: string, compression: string, found: Compression): TFRecordError {
  const looks = found === 'none' ? 'not compressed' : `${found} data`;
  return new TFRecordError(
    'TFR_COMPRESSION',
    `${file} was to be read as a ${compression} file (compression: "${compression}"), but looks like it is ` +
      `${looks}. compression: "auto" reads it.`,
    { file, expected: compression, found },
  );
}

/** The first bytes: as many as tell what they are, where there are so many. A copy. */
async function probe(pull: ChunkPull): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  for (;;) {
    const chunk = await pull.next();
    if (chunk === undefined) return head;
    head = Buffer.concat([head, chunk]);
    // Text does not begin like compressed data, and need not wait for more of a slow source.
    const compressed = startsStream(head, 'gzip') || startsStream(head, 'zlib');
    if (head.length >= PROBE_BYTES || (head.length > 1 && !compressed)) return head;
  }
}

function withHead(head: Uint8Array, pull: ChunkPull): ChunkPull {
  let first: Uint8Array | undefined = head;
  return {
    async next() {
      const chunk = first;
      first = undefined;
      return chunk ?? pull.next();
    },
    close: () => pull.close(),
  };
}
