/** Outcomes of parsing in one form, ours and TensorFlow's, and a TensorFlow process that is restarted after a crash. */
import {
  BytesArray,
  DenseTensor,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  parseSingleSequenceExample,
  RaggedTensor,
  sequenceSpecFromJSON,
  SparseTensor,
  specFromJSON,
  TFRecordError,
  type FeatureJSON,
} from '../../../lib';
import { Peer } from '../peer';
import type { SpecModel } from './model';

export interface ParseRequest {
  readonly form: 'example' | 'sequence';
  readonly single: boolean;
  readonly spec: unknown;
  /** The records in hex. */
  readonly records: readonly string[];
  /** True to also request the outcome of the records after the protobuf library has rewritten them. */
  readonly canonical: boolean;
  /** Replaces the rewritten records: without parts about which protobuf's libraries differ. */
  readonly plain?: readonly string[];
}
export interface Values {
  readonly values: Readonly<Record<string, unknown>>;
}
export type Outcome = Values | { readonly error: string } | { readonly surprise: string };
export interface Answer {
  readonly raw: Outcome;
  readonly canonical: Outcome | null;
}

/** Runs TensorFlow in a child process, which is replaced after some requests and after each crash. */
export class Peers {
  #peer: Peer | undefined;
  #asked = 0;

  /** @param limit - Most cases for one process, because it keeps the kernels of every spec. */
  constructor(readonly limit = 2_000) {}

  /** Returns the answers in order. A case that ends the process is a `surprise`. */
  async ask(cases: readonly ParseRequest[]): Promise<Answer[]> {
    if (this.#asked + cases.length > this.limit) await this.close();
    this.#asked += cases.length;
    this.#peer ??= new Peer('parse/peer.py');
    try {
      return await this.#peer.exchange<Answer[]>({ cases });
    } catch (error) {
      await this.close();
      if (cases.length === 1) return [{ raw: { surprise: `crash: ${String(error)}` }, canonical: null }];
      const answers: Answer[] = [];
      for (const one of cases) answers.push(...(await this.ask([one])));
      return answers;
    }
  }

  async close(): Promise<void> {
    const peer = this.#peer;
    this.#peer = undefined;
    this.#asked = 0;
    await peer?.close();
  }
}

/** Returns our outcome. Only errors about the spec or the data are outcomes. */
export function ours(request: ParseRequest, spec: SpecModel): Outcome & { readonly thrown?: TFRecordError } {
  const records = request.records.map((record) => new Uint8Array(Buffer.from(record, 'hex')));
  try {
    return { values: parsed(request, spec, records) };
  } catch (error) {
    const known = error instanceof TFRecordError && /^TFR_(EXAMPLE|FEATURE|SPEC)$/.test(error.code);
    if (!known) throw error;
    return { error: error.message, thrown: error };
  }
}

function parsed(request: ParseRequest, model: SpecModel, records: readonly Uint8Array[]): Record<string, unknown> {
  const { form, single } = request;
  const values: Record<string, unknown> = {};
  const put = (part: string, features: SpecModel['context'], found: object): void => {
    for (const [name, feature] of Object.entries(features)) {
      values[`${part}.${name}`] = normal((found as Record<string, unknown>)[name], feature, single);
    }
  };
  if (form === 'example') {
    const spec = specFromJSON(request.spec);
    put('', model.context, single ? parseSingleExample(records[0]!, spec) : parseExample(records, spec));
    return values;
  }
  const spec = sequenceSpecFromJSON(request.spec);
  const found = single ? parseSingleSequenceExample(records[0]!, spec) : parseSequenceExample(records, spec);
  put('context', model.context, found.context);
  put('sequence', model.sequence, found.sequence);
  if ('lengths' in found) {
    for (const [name, lengths] of Object.entries<Int32Array>(found.lengths)) {
      values[`lengths.${name}`] = { shape: [lengths.length], data: hexOf(BigInt64Array.from(lengths, BigInt)) };
    }
  }
  return values;
}

/** Converts a value to the peer's form. Columns of a single row take the form that TensorFlow uses there. */
function normal(value: unknown, { type }: FeatureJSON, single: boolean): unknown {
  if (value instanceof SparseTensor) {
    return { indices: hexOf(value.indices), values: dataOf(value.values), shape: value.denseShape };
  }
  if (value instanceof RaggedTensor) {
    const flat = { shape: value.values.shape, data: dataOf(value.values.data) };
    if (value.rowSplits.length === 0) return flat;
    const splits = value.rowSplits.map((level) => [
      level instanceof Int32Array ? 'int32' : 'int64',
      [...level].map(Number),
    ]);
    return { splits, values: flat };
  }
  if (value instanceof DenseTensor) return { shape: value.shape, data: dataOf(value.data) };
  if (typeof value === 'bigint') return { shape: [], data: hexOf(BigInt64Array.of(value)) };
  if (typeof value === 'number') return { shape: [], data: hexOf(Float32Array.of(value)) };
  if (value instanceof Uint8Array) return { shape: [], data: [hexOf(value)] };
  const column = value as BytesArray | Float32Array | BigInt64Array;
  const { length } = column;
  const data = dataOf(column);
  if (type !== 'varLen' || !single) return { shape: [length], data };
  return { indices: hexOf(BigInt64Array.from({ length }, (_, i) => BigInt(i))), values: data, shape: [length] };
}

function dataOf(column: unknown): unknown {
  return column instanceof BytesArray ? [...column].map(hexOf) : hexOf(column as ArrayBufferView);
}

function hexOf({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('hex');
}
