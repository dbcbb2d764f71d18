/** Conversions to Parquet by native code and by JavaScript, and what they give. */
import { DuckDBConnection } from '@duckdb/node-api';
import { rmSync } from 'node:fs';

import { TFRecordError, type OnError, type RecordSource } from '../../../lib';
import { convert, type ConvertOptions } from '../../../lib/convert';
import { chosen } from '../../../lib/sql/native-function';
import { ParquetWriter } from '../../../lib/sql/parquet-writer';

/** What a conversion gave: the content of the file, or the error; and what the policy was asked. */
export interface ParquetOutcome {
  readonly file?: unknown;
  readonly report?: unknown;
  readonly error?: unknown;
  readonly asked: readonly string[];
  /** True if JavaScript passed batches to DuckDB. */
  readonly pushed: boolean;
}

/** Converts `input` to the file `out`, and removes it. `native`: false to forbid native code. */
export async function parquetOutcome(
  native: boolean,
  input: RecordSource,
  out: string,
  { onError, ...options }: ConvertOptions = {},
): Promise<ParquetOutcome> {
  const asked: string[] = [];
  const write = jest.spyOn(ParquetWriter.prototype, 'write');
  chosen.native = native;
  try {
    let reached: number | undefined;
    const report = await convert(input, out, {
      ...options,
      onError: listened(onError, asked),
      onProgress: ({ records }) => (reached = records),
    });
    const { seconds: _seconds, bytesOut: _bytesOut, ...rest } = report;
    const pushed = write.mock.calls.length > 0;
    if (native && !pushed) expect(reached).toBe(report.records);
    return { file: await contentOf(out), report: rest, asked, pushed };
  } catch (error) {
    return { error: factsOf(error), asked, pushed: write.mock.calls.length > 0 };
  } finally {
    chosen.native = true;
    write.mockRestore();
    rmSync(out, { force: true });
  }
}

function listened(onError: OnError | undefined, asked: string[]): OnError | undefined {
  if (typeof onError === 'function') {
    return (error) => {
      asked.push(error.message);
      return onError(error);
    };
  }
  if (typeof onError !== 'object') return onError;
  const { report } = onError;
  return {
    ...onError,
    report: (error) => {
      asked.push(error.message);
      report?.(error);
    },
  };
}

function factsOf(error: unknown): unknown {
  if (!(error instanceof TFRecordError)) return error;
  const { code, message, file, record, offset, compressedOffset, lostBytes, feature, expected, found } = error;
  return { code, message, file, record, offset, compressedOffset, lostBytes, feature, expected, found };
}

/** Columns with types, rows with the exact bits of floats, and metadata. */
export async function contentOf(path: string): Promise<unknown> {
  const connection = await DuckDBConnection.create();
  const rows = async (sql: string): Promise<unknown[][]> => (await connection.runAndReadAll(sql)).getRowsJS();
  try {
    const literal = `'${path.replaceAll("'", "''")}'`;
    return {
      columns: await rows(`DESCRIBE FROM ${literal}`),
      schema: await rows(`SELECT * EXCLUDE (file_name) FROM parquet_schema(${literal})`),
      metadata: (await rows(`SELECT key, value FROM parquet_kv_metadata(${literal})`)).map(String),
      rows: (await rows(`FROM ${literal}`)).map((row) => row.map(exact)),
    };
  } finally {
    connection.closeSync();
  }
}

/** Tells -0 from 0. NaNs are told apart by another test. */
function exact(value: unknown): unknown {
  return Object.is(value, -0) ? '-0' : Array.isArray(value) ? value.map(exact) : value;
}
