/** Infers the columns of records without a spec in native code. */
import { native, type DuckdbFile, type DuckdbSampledColumn } from '../native';
import { readableFilesSync, resolveReadOptions, type ReadableFile, type ReadOptions } from '../record';
import { newTable, type FeatureColumn, type Table } from '../table';
import { sampleTable } from './sample-table';

/** As {@link sampleTable}, which words the errors of faulty files, and asks the policy about them. */
export function nativeSampleTable(paths: readonly string[], options: ReadOptions): Table {
  const files = readableFilesSync(paths, resolveReadOptions(options)).map(nativeFile);
  const sample = native().duckdbSample?.(files);
  if (sample === undefined || files.length === 0) return sampleTable(paths, options);
  return newTable(sample.columns.map(sampledColumn), sample.sequence);
}

/** The file for native code. */
export function nativeFile({ file: name, at: path, spec }: ReadableFile): DuckdbFile {
  return { name, path, spec };
}

const DTYPES = { 1: 'bytes', 2: 'float32', 3: 'int64' } as const;

function sampledColumn({ key, section, kind, text, single }: DuckdbSampledColumn): FeatureColumn {
  const dtype = text ? 'text' : DTYPES[kind];
  return { key, section, dtype, shape: single ? [] : undefined, nullable: true };
}
