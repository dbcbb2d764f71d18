// @ts-check
/**
 * The utility process: reads the files, so that neither a slow disk nor a huge record delays a window. The main process
 * sends ports. The other end of one is a page, or the main process itself, which alone may add files to the list.
 */
const { Host, portOf } = require('tfrecord-native/view');

const host = new Host([]);

process.parentPort.on('message', ({ data, ports }) => {
  const [port] = ports;
  if (port !== undefined) host.serve(portOf(port), { mayAdd: data === 'main' });
});
