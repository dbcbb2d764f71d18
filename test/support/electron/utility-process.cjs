'use strict';
/**
 * A utility process of Electron, as its documentation describes one: Node with `process.parentPort`, which brings ports
 * and keeps messages until somebody listens. Run with the script, and the folder of the package.
 */
const { EventEmitter } = require('node:events');
const Module = require('node:module');
const { join } = require('node:path');

const [, , script, root] = process.argv;
const { _resolveFilename: find } = Module;
Module._resolveFilename = function (name, ...rest) {
  return find.call(this, name === 'tfrecord-native/view' ? join(root, 'dist', 'view', 'index.js') : name, ...rest);
};

/** Returns how many bytes a clone of `value` takes: of a view, the whole buffer. Throws for what cannot cross. */
function clonedBytes(value, seen = new Set()) {
  if (typeof value === 'function' || typeof value === 'symbol') throw new Error('An object could not be cloned.');
  if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
  seen.add(value);
  if (value instanceof SharedArrayBuffer) throw new Error('A SharedArrayBuffer does not cross processes.');
  if (value instanceof ArrayBuffer) return value.byteLength;
  if (ArrayBuffer.isView(value)) return clonedBytes(value.buffer, seen);
  return Object.values(value).reduce((sum, each) => sum + clonedBytes(each, seen), 0);
}

const send = (message) => process.connected && process.send(message);
const ports = new Map();

class Port extends EventEmitter {
  #id;
  #kept = [];

  constructor(id) {
    super();
    this.#id = id;
    ports.set(id, this);
  }

  postMessage(data) {
    send({ port: this.#id, data, cloned: clonedBytes(data) });
  }

  start() {
    const kept = this.#kept ?? [];
    this.#kept = undefined;
    for (const data of kept) this.take(data);
  }

  take(data) {
    if (this.#kept !== undefined) this.#kept.push(data);
    else this.emit('message', { data, ports: [] });
  }

  close() {
    if (ports.delete(this.#id)) send({ port: this.#id, closed: true });
  }
}

const parentPort = new EventEmitter();
process.parentPort = parentPort;
parentPort.postMessage = (data) => send({ port: 0, data, cloned: clonedBytes(data) });
const early = [];
const hear = (event) =>
  parentPort.listenerCount('message') > 0 ? parentPort.emit('message', event) : early.push(event);
parentPort.on('newListener', (name) => {
  if (name === 'message') setImmediate(() => early.splice(0).forEach(hear));
});

process.on('message', ({ port, data, closed, transferred }) => {
  if (port === 0) hear({ data, ports: transferred.map((id) => new Port(id)) });
  else if (closed !== true) ports.get(port)?.take(data);
  else {
    const end = ports.get(port);
    ports.delete(port);
    end?.emit('close');
  }
});
process.on('disconnect', () => process.exit());

require(script);
