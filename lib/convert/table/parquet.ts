/** Reads and writes files of Parquet. */
import { stat } from 'node:fs/promises';

import { noParquetColumns, openParquet, ParquetWriter } from '../../sql';
import { columnsText, COLUMNS_KEY } from '../../table';
import type { InputFormat, OutputFormat } from '../format';
import { HUGGING_FACE_KEY } from '../hugging-face/form';
import { columnReading, tableInput } from './table-input';
import { tableOutput } from './table-output';

export const parquetInput: InputFormat = tableInput({
  name: 'parquet',
  open: ({ path, file }, { rounds, ...rules }) => openParquet(path!, { file, round: rounds, ...columnReading(rules) }),
  streams: false,
});

export const parquetOutput: OutputFormat = tableOutput({
  uses: ['huggingface'],
  compressions: ['none'],
  // DuckDB writes the file, and needs a path; the metadata is at the end of the file.
  filesOnly: true,
  copies: true,
  onOneThread: true,
  open: async (target, table, { huggingFace }, done) => {
    const path = target as string;
    if (table.columns.length === 0) {
      // Reading, which follows, reports the records that are left out.
      return {
        write: (batch) => {
          done(batch);
          return undefined;
        },
        close: () => Promise.reject(noParquetColumns(path)),
        abort: () => Promise.resolve(),
      };
    }
    const metadata = {
      [COLUMNS_KEY]: columnsText(table),
      ...(huggingFace === undefined ? {} : { [HUGGING_FACE_KEY]: huggingFace.text(false) }),
    };
    const writer = await ParquetWriter.open(path, table, { metadata, files: huggingFace?.files, onTaken: done });
    return {
      write: (batch) => writer.write(batch),
      copy: (records, first) => writer.copy(table, records, first),
      async close() {
        await writer.close();
        return { fileBytes: (await stat(path)).size };
      },
      abort: () => writer.abort(),
    };
  },
});
