/** Tables of words in DuckDB, which moves them to disk if they do not fit into memory. */
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Appender, Connection, DataChunk } from '@duckdb/node-bindings';
import { named, worded, type LoopTurns } from '../../base';
import { isUtf8 } from 'node:buffer';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { boundConnection, duckdb, pathToWrite, type Bindings } from '../../sql';

/** Memory limit of the tables; larger tables use temporary files. */
const MEMORY_LIMIT = '400MB';

interface Opened {
  readonly instance: DuckDBInstance;
  /** The connection for appenders. */
  readonly raw: Connection;
  readonly connection: DuckDBConnection;
  readonly folder: string;
}

/** A word and its number of occurrences. */
export interface Word {
  readonly value: string;
  readonly count: number;
}

/** Takes a word and the number of its occurrences. Its memory is used again, unless it returns a promise, which is awaited. */
export type TakeWord = (word: Uint8Array, count: number) => Promise<void> | undefined;

/** Number of rows in a chunk. A few chunks are added to the table at once, which takes some milliseconds. */
const ROWS = 2048;
const CHUNKS_AT_ONCE = 8;

/** Adds words to a table. */
export class WordAppender {
  readonly #db: Bindings;
  readonly #appender: Appender;
  readonly #chunk: DataChunk;
  readonly #counts = new BigInt64Array(ROWS);
  #words: ReturnType<Bindings['data_chunk_get_vector']>;
  #rows = 0;
  #chunks = 0;

  constructor(db: Bindings, connection: Connection, table: string) {
    this.#db = db;
    this.#appender = db.appender_create(connection, null, table);
    this.#chunk = db.create_data_chunk([db.create_logical_type(db.Type.BLOB), db.create_logical_type(db.Type.BIGINT)]);
    this.#words = db.data_chunk_get_vector(this.#chunk, 0);
  }

  /** Adds `word`, which occurs `count` times. */
  add(word: Uint8Array, count: number): void {
    this.#db.vector_assign_string_element_len(this.#words, this.#rows, word);
    this.#counts[this.#rows++] = BigInt(count);
    if (this.#rows === ROWS) this.#append();
  }

  /** Writes all words to the table. */
  close(): void {
    if (this.#rows > 0) this.#append();
    this.#db.appender_close_sync(this.#appender);
  }

  #append(): void {
    const db = this.#db;
    const { buffer } = this.#counts;
    db.copy_data_to_vector(db.data_chunk_get_vector(this.#chunk, 1), 0, buffer, 0, 8 * this.#rows);
    db.data_chunk_set_size(this.#chunk, this.#rows);
    db.append_data_chunk(this.#appender, this.#chunk);
    db.data_chunk_reset(this.#chunk);
    this.#words = db.data_chunk_get_vector(this.#chunk, 0);
    this.#rows = 0;
    if (++this.#chunks % CHUNKS_AT_ONCE === 0) db.appender_flush_sync(this.#appender);
  }
}

/** Tables of words. A word may be in several rows of a table. */
export class WordTables {
  readonly #duckdb = duckdb(worded`${named('statistics()')}`);
  #opening: Promise<Opened> | undefined;
  #count = 0;

  /** Creates a table. Returns its name, and an appender for it. */
  async create(): Promise<{ readonly table: string; readonly appender: WordAppender }> {
    const { connection, raw } = await this.#open();
    const table = `words_${this.#count++}`;
    await connection.run(`CREATE TABLE ${table} (word BLOB, n BIGINT)`);
    return { table, appender: new WordAppender(this.#duckdb.bindings, raw, table) };
  }

  /**
   * Returns the number of different words, and the `most` most frequent ones that are UTF-8. Words of equal frequency
   * are in descending order of their bytes. Drops the table.
   */
  async summary(table: string, most: number): Promise<{ unique: number; top: Word[] }> {
    const { connection } = await this.#open();
    await connection.run(`CREATE TABLE sums AS SELECT word, sum(n)::BIGINT AS n FROM ${table} GROUP BY word`);
    await connection.run(`DROP TABLE ${table}`);
    const [[unique] = []] = (await connection.runAndReadAll('SELECT count(*) FROM sums')).getRows();
    let top: Word[] = [];
    if (most > 0) {
      const sorted = 'SELECT word, n FROM sums ORDER BY n DESC, word DESC';
      top = await firstTexts(connection, `${sorted} LIMIT ${most}`, most);
      // Words that are not UTF-8 are among the first, so more rows are needed.
      if (top.length < most && Number(unique) > most) top = await firstTexts(connection, sorted, most);
    }
    await connection.run('DROP TABLE sums');
    return { unique: Number(unique), top };
  }

  /** Calls `take` with each different word and its number of occurrences. Drops the table. */
  async each(table: string, take: TakeWord, turns: LoopTurns): Promise<void> {
    const { connection } = await this.#open();
    const result = await connection.stream(`SELECT word, sum(n)::BIGINT FROM ${table} GROUP BY word`);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) break;
      for (const [word, n] of chunk.getRows()) {
        const taken = take((word as { readonly bytes: Uint8Array }).bytes, Number(n));
        if (taken !== undefined) await taken;
      }
      await turns.breathe();
    }
    await connection.run(`DROP TABLE ${table}`);
  }

  /** Closes the database, and removes its temporary files. */
  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    if (opened === undefined) return;
    opened.connection.closeSync();
    opened.instance.closeSync();
    await rm(opened.folder, { recursive: true, force: true });
  }

  #open(): Promise<Opened> {
    return (this.#opening ??= this.#create());
  }

  async #create(): Promise<Opened> {
    const folder = await mkdtemp(join(tmpdir(), 'tfrecord-statistics-'));
    try {
      const instance = await this.#duckdb.api.DuckDBInstance.create(':memory:', {
        memory_limit: MEMORY_LIMIT,
        temp_directory: pathToWrite(folder),
        preserve_insertion_order: 'false',
      });
      const connection = await instance.connect();
      return { instance, raw: boundConnection(connection), connection, folder };
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }
}

/** The first `most` rows of `query` whose words are UTF-8. */
async function firstTexts(connection: DuckDBConnection, query: string, most: number): Promise<Word[]> {
  const result = await connection.stream(query);
  const words: Word[] = [];
  while (words.length < most) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    for (const [word, n] of chunk.getRows()) {
      const { bytes } = word as { readonly bytes: Uint8Array };
      if (isUtf8(bytes) && words.length < most) words.push({ value: Buffer.from(bytes).toString(), count: Number(n) });
    }
  }
  return words;
}
