/** The functions of tfrecord.wasm: native/wasm/*_api.cc has one comment each. */

/** Numbers are pointers, sizes, flags or doubles. Results that are pointers or sizes are not negative here. */
type WasmFunction = (...args: number[]) => number;

/** Functions whose results are signed, or not whole. */
const SIGNED = ['tfr_decoder_decode'] as const;

const UNSIGNED = [
  'tfr_alloc',
  'tfr_free',
  'tfr_run',
  'tfr_ready',
  'tfr_crc32c',
  'tfr_kernel',
  'tfr_choose_codecs',
  'tfr_codecs',
  'tfr_job_result',
  'tfr_job_free',
  'tfr_reader_open_file',
  'tfr_reader_open_fed',
  'tfr_reader_feed',
  'tfr_reader_fill',
  'tfr_reader_fill_now',
  'tfr_reader_pass_over',
  'tfr_reader_close',
  'tfr_reader_free',
  'tfr_index_open',
  'tfr_index_advance',
  'tfr_index_reader',
  'tfr_index_close',
  'tfr_index_free',
  'tfr_writer_open',
  'tfr_writer_start',
  'tfr_write_new',
  'tfr_write_slab',
  'tfr_writer_push',
  'tfr_writer_flush',
  'tfr_writer_close',
  'tfr_writer_abort',
  'tfr_writer_free',
  'tfr_encoding_new',
  'tfr_encoding_add',
  'tfr_encoding_run',
  'tfr_encoding_output',
  'tfr_encoding_free',
  'tfr_plan_new',
  'tfr_plan_add',
  'tfr_parser_new',
  'tfr_parser_free',
  'tfr_parser_clear',
  'tfr_parser_records',
  'tfr_parser_frames',
  'tfr_parser_append',
  'tfr_parser_row',
  'tfr_parser_batch',
  'tfr_columns_sizes',
  'tfr_columns_rows',
  'tfr_columns_array',
  'tfr_examples_open_file',
  'tfr_examples_open_fed',
  'tfr_examples_feed',
  'tfr_examples_next',
  'tfr_examples_next_now',
  'tfr_examples_pass_over',
  'tfr_examples_close',
  'tfr_examples_free',
  'tfr_piece_report',
  'tfr_piece_lengths',
  'tfr_piece_batch',
  'tfr_piece_drop',
  'tfr_decoder_new',
  'tfr_decoder_free',
  'tfr_decoder_write',
  'tfr_record_type',
  'tfr_encoder_new',
  'tfr_encoder_free',
  'tfr_encoder_add',
  'tfr_encoder_measure',
  'tfr_encoder_write',
  'tfr_survey_new',
  'tfr_survey_free',
  'tfr_survey_take',
  'tfr_survey_merge',
  'tfr_survey_totals',
  'tfr_survey_feature',
] as const;

export type WasmName = (typeof UNSIGNED)[number] | (typeof SIGNED)[number];
export type WasmExports = Readonly<Record<WasmName, WasmFunction>>;

/**
 * Returns the functions of an instance. Every call runs through `guarded`.
 * @throws Error if the module lacks one: it is of another version
 */
export function exportsOf(
  instance: WebAssembly.Instance,
  guarded: (call: WasmFunction) => WasmFunction,
): WasmExports {
  const found = (name: WasmName): WasmFunction => {
    const call = instance.exports[name];
    if (typeof call === 'function') return guarded(call as WasmFunction);
    throw new Error(`tfrecord.wasm does not belong to this version of tfrecord-native: it has no ${name}`);
  };
  return Object.fromEntries([
    ...SIGNED.map((name) => [name, found(name)]),
    ...UNSIGNED.map((name) => {
      const call = found(name);
      return [name, (...args: number[]) => call(...args) >>> 0];
    }),
  ]) as WasmExports;
}
