/** Ends the program with an error if WebAssembly takes the place of an addon that does not load. */
process.on('warning', (warning) => {
  if (warning.code === 'TFRECORD_WASM') throw warning;
});
