/** The functions of tfrecord.wasm: native/wasm/*_api.cc has one comment each. */

/** Functions whose results are signed, or not whole, and their numbers of arguments. */
const SIGNED = { tfr_decoder_decode: 3 } as const;

/** The functions whose results are pointers, sizes and flags, and their numbers of arguments. */
const UNSIGNED = {
  tfr_alloc: 1,
  tfr_free: 1,
  tfr_run: 0,
  tfr_ready: 1,
  tfr_crc32c: 3,
  tfr_find_header: 3,
  tfr_kernel: 0,
  tfr_choose_codecs: 2,
  tfr_codecs: 0,
  tfr_job_result: 1,
  tfr_job_free: 1,
  tfr_reader_open_file: 3,
  tfr_reader_open_fed: 1,
  tfr_reader_open_ranges: 3,
  tfr_reader_feed: 4,
  tfr_reader_feed_range: 4,
  tfr_reader_end_at: 2,
  tfr_reader_wants: 1,
  tfr_reader_fill: 2,
  tfr_reader_fill_now: 2,
  tfr_reader_skip: 1,
  tfr_reader_close: 1,
  tfr_reader_free: 1,
  tfr_index_new: 4,
  tfr_index_load: 3,
  tfr_index_save: 5,
  tfr_index_saved: 0,
  tfr_index_start: 2,
  tfr_checkpoint_free: 1,
  tfr_index_state: 1,
  tfr_index_complete: 5,
  tfr_index_wrote: 5,
  tfr_index_jump: 3,
  tfr_index_extents: 3,
  tfr_index_free: 1,
  tfr_keys_add: 7,
  tfr_keys_of: 1,
  tfr_keys_find: 3,
  tfr_keys_save: 3,
  tfr_keys_hold: 6,
  tfr_writer_open: 5,
  tfr_writer_start: 2,
  tfr_write_new: 2,
  tfr_write_slab: 1,
  tfr_writer_push: 3,
  tfr_writer_flush: 2,
  tfr_writer_close: 1,
  tfr_writer_abort: 1,
  tfr_writer_free: 1,
  tfr_encoding_new: 0,
  tfr_encoding_add: 3,
  tfr_encoding_run: 3,
  tfr_encoding_output: 1,
  tfr_encoding_free: 1,
  tfr_plan_new: 0,
  tfr_plan_add: 10,
  tfr_parser_new: 3,
  tfr_parser_free: 1,
  tfr_parser_clear: 1,
  tfr_parser_records: 2,
  tfr_parser_frames: 2,
  tfr_parser_append: 1,
  tfr_parser_row: 5,
  tfr_parser_batch: 1,
  tfr_columns_sizes: 3,
  tfr_columns_rows: 1,
  tfr_columns_array: 6,
  tfr_examples_open_file: 4,
  tfr_examples_open_fed: 2,
  tfr_examples_open_ranges: 4,
  tfr_examples_feed: 4,
  tfr_examples_feed_range: 4,
  tfr_examples_end_at: 2,
  tfr_examples_wants: 1,
  tfr_examples_next: 2,
  tfr_examples_next_now: 2,
  tfr_examples_skip: 1,
  tfr_examples_close: 1,
  tfr_examples_free: 1,
  tfr_piece_report: 1,
  tfr_piece_lengths: 1,
  tfr_piece_batch: 1,
  tfr_piece_drop: 2,
  tfr_decoder_new: 1,
  tfr_decoder_free: 1,
  tfr_decoder_write: 2,
  tfr_record_type: 2,
  tfr_encoder_new: 0,
  tfr_encoder_free: 1,
  tfr_encoder_add: 11,
  tfr_encoder_measure: 2,
  tfr_encoder_write: 1,
  tfr_survey_new: 0,
  tfr_survey_free: 1,
  tfr_survey_take: 4,
  tfr_survey_merge: 2,
  tfr_survey_totals: 1,
  tfr_survey_feature: 2,
} as const;

type Arities = typeof SIGNED & typeof UNSIGNED;
type Arguments<Count extends number, T extends number[] = []> = T['length'] extends Count
  ? T
  : Arguments<Count, [...T, number]>;

/** Arguments are pointers, sizes, flags or doubles. Results that are pointers or sizes are not negative here. */
type WasmFunction = (...args: number[]) => number;

export type WasmName = keyof Arities;
export type WasmExports = { readonly [Name in WasmName]: (...args: Arguments<Arities[Name]>) => number };

/**
 * Returns the functions of an instance. Every call runs through `guarded`.
 * @throws Error if the module lacks one, or one takes other arguments: the module is of another version
 */
export function exportsOf(
  instance: WebAssembly.Instance,
  guarded: (call: WasmFunction) => WasmFunction,
): WasmExports {
  const found = (name: string, count: number): WasmFunction => {
    const call = instance.exports[name];
    if (typeof call === 'function' && call.length === count) return guarded(call as WasmFunction);
    throw new Error(
      `tfrecord.wasm does not belong to this version of tfrecord-native: it has no ${name} with ${count} arguments`,
    );
  };
  return Object.fromEntries([
    ...Object.entries(SIGNED).map(([name, count]) => [name, found(name, count)]),
    ...Object.entries(UNSIGNED).map(([name, count]) => {
      const call = found(name, count);
      return [name, (...args: number[]) => call(...args) >>> 0];
    }),
  ]) as WasmExports;
}
