/** The cases of test/golden/differences.json (scripts/make-differences-golden.py), and our outcome of each. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import {
  BytesArray,
  Dataset,
  decodeCompressed,
  decodeCsv,
  decodeExample,
  decodeJsonExample,
  DenseTensor,
  encodeExample,
  float,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  parseTensor,
  RaggedTensor,
  readRecords,
  RecordWriter,
  sequenceSpecFromJSON,
  SparseTensor,
  specFromJSON,
  type ReadOptions,
} from '../../../lib';
import { frame } from '../records/tfrecord';
import { tag, varint } from './wire';

/** The values, also those before an error, or the way that the call ended. */
export interface DifferenceOutcome {
  readonly out?: unknown;
  /** The class of the error, or its code. */
  readonly error?: string;
  /** True if a signal ended the process. */
  readonly crash?: true;
  readonly hangs?: true;
}

export interface Difference extends DifferenceOutcome {
  /** The id of the row that gives the reason. */
  readonly row: string;
  readonly op: string;
  readonly in?: string | readonly string[] | null;
  readonly compression?: string;
  readonly names?: readonly string[];
  readonly pattern?: string;
  readonly spec?: object;
  readonly looseFloats?: number;
  readonly single?: boolean;
  readonly shapeOnly?: boolean;
}

export function differences(): Difference[] {
  return JSON.parse(readFileSync(join(__dirname, '..', '..', 'golden', 'differences.json'), 'utf8')) as Difference[];
}

const bytesOf = (hex: unknown): Buffer => Buffer.from(hex as string, 'hex');

/** Returns our outcome. Ignores TensorFlow's compression option, because we detect compression by content. */
export async function ourDifference(difference: Difference): Promise<DifferenceOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'differences-'));
  const out: unknown[] = [];
  try {
    const made = await OPERATIONS[difference.op]?.(difference, folder, out);
    return { out: made ?? out };
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === undefined) throw error;
    return out.length > 0 || GIVES_ELEMENTS.includes(difference.op) ? { out, error: code } : { error: code };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Operation = (difference: Difference, folder: string, out: unknown[]) => unknown;

/** Operations whose outcome includes the elements before an error, even if there are none. */
const GIVES_ELEMENTS = ['read', 'ignore', 'skip', 'text'];

function fileOf({ in: given }: Difference, folder: string): string {
  const path = join(folder, 'file');
  if (given !== null) writeFileSync(path, bytesOf(given));
  return path;
}

async function collect(elements: AsyncIterable<unknown>, out: unknown[]): Promise<void> {
  for await (const element of elements) out.push(plain(element));
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  read: (difference, folder, out) => {
    const { row, compression } = difference;
    // Passed only if the name itself makes the difference.
    const options = row === 'compression-name' ? ({ compression } as ReadOptions) : {};
    return collect(readRecords(fileOf(difference, folder), options), out);
  },
  ignore: (difference, folder, out) =>
    collect(Dataset.tfrecord(fileOf(difference, folder)).onError({ action: 'skip', maxRate: 1 }), out),
  skip: (difference, folder, out) => collect(Dataset.tfrecord(fileOf(difference, folder)).skip(1), out),
  text: (difference, folder, out) => collect(Dataset.text(fileOf(difference, folder)), out),
  files: async ({ names = [], pattern = '' }, folder) => {
    for (const name of names) {
      mkdirSync(name.endsWith('/') ? join(folder, name) : dirname(join(folder, name)), { recursive: true });
      if (!name.endsWith('/')) writeFileSync(join(folder, name), '');
    }
    const found = await Dataset.files(join(folder, pattern)).toArray();
    return found.map((path) => path.slice(folder.length + 1));
  },
  parse: ({ in: given, spec, looseFloats: count, single }) => {
    const records = count === undefined ? (given as readonly string[]).map(bytesOf) : [manyLooseFloats(count)];
    if (single === true) return plain(parseSingleExample(records[0]!, specFromJSON(spec)));
    if (!('sequence' in spec!)) return plain(parseExample(records, specFromJSON(spec)));
    const { context, sequence } = parseSequenceExample(records, sequenceSpecFromJSON(spec));
    return plain({ ...context, ...sequence });
  },
  decode_json_example: ({ in: given }) => {
    const features = decodeExample(decodeJsonExample(new Uint8Array(bytesOf(given))));
    return Object.fromEntries(Object.entries(features).map(([name, feature]) => [name, plain(feature?.values)]));
  },
  decode_compressed: ({ in: given, type }: Difference & { readonly type?: string }) =>
    plain(decodeCompressed(bytesOf(given), { compression: type?.toLowerCase() as 'gzip' })),
  decode_csv: ({ in: given }) => {
    const [column] = decodeCsv((given as readonly string[]).map(bytesOf), { recordDefaults: ['float32'] });
    return Buffer.from(column.buffer).toString('hex');
  },
  parse_tensor: ({ in: given }) => parseTensor(new Uint8Array(bytesOf(given))).shape.map(String),
  'writer-left': async (_, folder) => {
    const path = join(folder, 'half.tfrecord');
    const writer = await RecordWriter.open(path);
    await writer.write('foo');
    await writer[Symbol.asyncDispose]();
    return existsSync(path) ? ['half.tfrecord'] : [];
  },
  'writer-full': async () => {
    const writer = await RecordWriter.open('/dev/full');
    await writer.write('foo');
    await Promise.resolve(writer.flush()).catch(() => undefined);
    await writer.close();
    return 'closed';
  },
  'shuffle-order': (_, _folder, out) => collect(Dataset.range(6).shuffle(6, { seed: 1 }), out),
  'minus-one': (_, _folder, out) => collect(Dataset.range(3).take(-1), out),
  'old-cache': async (_, folder, out) => {
    await Dataset.range(2).cache(join(folder, 'cache')).toArray();
    await collect(Dataset.range(3).cache(join(folder, 'cache')), out);
  },
  'after-error': async (_, folder) => {
    const [damaged, whole] = [join(folder, 'a'), join(folder, 'b')];
    const good = frame(Buffer.from('defgh'));
    const broken = frame(Buffer.from('foo'));
    broken[13]! ^= 1;
    writeFileSync(damaged, broken);
    writeFileSync(whole, good);
    const out: unknown[] = [];
    const elements = Dataset.tfrecord([damaged, whole]).iterate();
    for (let i = 0; i < 3; i++) {
      try {
        const { done, value } = await elements.next();
        if (done === true) break;
        out.push(plain(value));
      } catch {
        out.push('an error');
      }
    }
    return out;
  },
  json_bytes: ({ in: given }) => Buffer.from(decodeJsonExample(new Uint8Array(bytesOf(given)))).toString('hex'),
  'float-range': () => {
    encodeExample({ a: float(1e39) });
  },
};

/** Returns an Example with one feature of `count` unpacked floats. */
function manyLooseFloats(count: number): Buffer {
  const delimited = (number: number, ...parts: readonly Uint8Array[]): Buffer => {
    const content = Buffer.concat(parts);
    return Buffer.concat([Uint8Array.from([...tag(number, 2), ...varint(content.length)]), content]);
  };
  const values = Buffer.alloc(5 * count, Buffer.from('0d0000803f', 'hex'));
  const entry = delimited(1, delimited(1, Buffer.from('a')), delimited(2, delimited(2, values)));
  return delimited(1, entry);
}

/**
 * Converts to plain JSON: byte strings become text, tensors become nested lists, and those of varLen and sparse become
 * their values.
 */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof BytesArray) return [...value].map(plain);
  if (value instanceof SparseTensor) return plain(value.values);
  if (value instanceof DenseTensor || value instanceof RaggedTensor) return plain(value.toArray());
  if (ArrayBuffer.isView(value)) return [...(value as Float32Array)].map(plain);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}

/** The code spans that the table shows for an outcome: values as JSON, then the error. */
export function spansOf({ out, error, crash, hangs }: DifferenceOutcome): string[] {
  const spans = out === undefined ? [] : [JSON.stringify(out)];
  const end = error ?? (crash === true ? 'crash' : hangs === true ? 'hangs' : undefined);
  return end === undefined ? spans : [...spans, end];
}
