// Does what each element says.
'use strict';

class OddError extends Error {
  name = 'OddError';
  code = 'ERR_ODD';
}

const inner = new TypeError('the inner one');
const DEEDS = {
  ok: () => 'fine',
  throw: () => {
    throw new OddError('odd', { cause: inner });
  },
  reject: () => Promise.reject(new RangeError('out of it')),
  'throw text': () => {
    throw 'only text';
  },
  'throw function': () => {
    throw () => 'no clone';
  },
  'throw trap': () => {
    throw new Proxy(new Error(), {
      get: () => {
        throw new Error('looked at');
      },
    });
  },
  'post text': () => {
    require('node:worker_threads').parentPort.postMessage('a word of its own');
    require('node:worker_threads').parentPort.postMessage(null);
    return 'posted';
  },
  'post like ours': () => {
    const { parentPort } = require('node:worker_threads');
    for (const message of [{ reply: null }, { reply: { id: 0 } }, { unusable: 'me' }, {}])
      parentPort.postMessage(message);
    parentPort.removeAllListeners('message');
    parentPort.close();
    return 'posted';
  },
  'return function': () => ({ deep: [() => 'no clone'] }),
  'return resource': async () => new (require('node:worker_threads').MessageChannel)().port1,
  exit: () => process.exit(3),
  later: () => {
    setImmediate(() => {
      throw new Error('outside of a call');
    });
    return new Promise(() => undefined);
  },
  'reject outside': () => {
    void Promise.reject(new Error('nobody waits'));
    return new Promise(() => undefined);
  },
  never: () => new Promise(() => undefined),
  loop: () => {
    for (;;);
  },
};

module.exports = (deed) => DEEDS[deed]();
