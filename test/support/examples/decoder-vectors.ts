/** The vectors of test/golden/decoders.json (scripts/make-decoder-golden.py), and our outcome of each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  BytesArray,
  decodeCompressed,
  decodeCsv,
  decodeJsonExample,
  decodePaddedRaw,
  decodeRaw,
  Example,
  parseTensor,
  serializeTensor,
  type CsvField,
  type PaddedRawDType,
  type SerializableTensor,
  type TensorDType,
} from '../../../lib';
import { arrayOf } from './tensor-proto';

type Hex = string;

interface Vectors {
  decode_csv: {
    readonly in: readonly Hex[];
    readonly defaults: readonly { readonly dtype: string; readonly default?: number | Hex }[];
    readonly fieldDelim?: string;
    readonly useQuoteDelim?: boolean;
    readonly naValue?: Hex;
    readonly selectCols?: readonly number[];
  };
  decode_raw: {
    readonly in: Hex | readonly Hex[];
    readonly outType: string;
    readonly littleEndian: boolean;
    readonly fixedLength?: number;
  };
  decode_compressed: { readonly in: Hex | readonly Hex[]; readonly type: string };
  decode_json_example: { readonly in: Hex };
  parse_tensor: { readonly in: Hex; readonly dtype: string };
  serialize_tensor: {
    readonly in: Hex | readonly Hex[];
    readonly dtype: string;
    readonly shape: readonly number[];
  };
}

/** An outcome: a tensor, columns or bytes in `out`, or an error. */
export interface DecoderOutcome {
  readonly out?: unknown;
  /** The error's class or code, and the beginning of its message. */
  readonly error?: string;
  /** The signal that ended the process. */
  readonly crash?: number;
}

/** TensorFlow's outcome of one call. */
export type DecoderVector = { [Op in keyof Vectors]: { readonly op: Op } & Vectors[Op] }[keyof Vectors] &
  DecoderOutcome;

export function decoderVectors(): DecoderVector[] {
  return JSON.parse(readFileSync(join(__dirname, '..', '..', 'golden', 'decoders.json'), 'utf8')) as DecoderVector[];
}

const hex = (bytes: Uint8Array): Hex => Buffer.from(bytes).toString('hex');
const unhex = (text: Hex): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));

/** Returns our outcome in TensorFlow's form. Errors about data and arguments are outcomes; other errors are thrown. */
export function ourOutcome(vector: DecoderVector): DecoderOutcome {
  try {
    return { out: decoded(vector) };
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message: string };
    if (typeof code !== 'string' || !/^(TFR_|ERR_INVALID_ARG|ERR_OUT_OF_RANGE)/.test(code)) throw error;
    return { error: `${code}: ${message}` };
  }
}

function decoded(vector: DecoderVector): unknown {
  switch (vector.op) {
    case 'decode_csv': {
      const { defaults, naValue = '', fieldDelim, useQuoteDelim, selectCols } = vector;
      const recordDefaults = defaults.map((column): CsvField => {
        if (typeof column.default !== 'string') return column as CsvField;
        return { dtype: 'bytes', default: unhex(column.default) };
      });
      const records = vector.in.map(unhex);
      const options = { fieldDelim, useQuoteDelim, selectCols, naValue: unhex(naValue) };
      return decodeCsv(records, { ...options, recordDefaults }).map((column) => tensor([records.length], column));
    }
    case 'decode_raw': {
      const { fixedLength, littleEndian } = vector;
      const outType = vector.outType as PaddedRawDType;
      const input = typeof vector.in === 'string' ? unhex(vector.in) : vector.in.map(unhex);
      const { shape, data } =
        fixedLength === undefined
          ? decodeRaw(input, { outType: outType, littleEndian })
          : decodePaddedRaw(input, { outType, littleEndian, fixedLength });
      return tensor(shape, data);
    }
    case 'decode_compressed': {
      const compression = (COMPRESSIONS[vector.type] ?? `no ${vector.type}`) as 'none';
      if (typeof vector.in === 'string') {
        return { shape: [], data: [hex(decodeCompressed(unhex(vector.in), { compression }))] };
      }
      const outputs = decodeCompressed(vector.in.map(unhex), { compression });
      return { shape: [outputs.length], data: outputs.map(hex) };
    }
    case 'decode_json_example':
      // Encoded again to put names in byte order.
      return hex(Example.encode(Example.decode(decodeJsonExample(unhex(vector.in)))));
    case 'parse_tensor': {
      const { shape, data } = parseTensor(unhex(vector.in), { outType: vector.dtype as TensorDType });
      return tensor(shape, data);
    }
    case 'serialize_tensor': {
      const { dtype, shape } = vector;
      const data = typeof vector.in === 'string' ? arrayOf(dtype, unhex(vector.in)) : vector.in.map(unhex);
      return hex(serializeTensor({ dtype, shape, data } as SerializableTensor));
    }
  }
}

/** TensorFlow's names of compressions, and ours. */
const COMPRESSIONS: Readonly<Record<string, string>> = { '': 'none', GZIP: 'gzip', ZLIB: 'zlib', ZSTD: 'zstd' };

function tensor(shape: readonly number[], data: BytesArray | ArrayBufferView): unknown {
  if (data instanceof BytesArray) return { shape, data: [...data].map(hex) };
  return { shape, data: hex(new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength)) };
}
