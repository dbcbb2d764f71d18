import { loadPeer } from '../../lib/peer';

const PEERS = { '@some/peer': '^1.2.0', other: '3.0.0' };

/** Calls `loadPeer` with an error of `require`, and returns what it throws. */
function thrown(properties: object, message = 'no'): unknown {
  const error = Object.assign(new Error(message), properties);
  try {
    return loadPeer('Our room', PEERS, () => {
      throw error;
    });
  } catch (found) {
    return found === error ? 'the error itself' : found;
  }
}

const ABSENT = {
  code: 'ERR_MODULE_NOT_FOUND',
  message: 'Our room needs @some/peer and other, which are not installed: npm install @some/peer@^1.2.0 other@3.0.0',
};

test('a package that is not there: what to install', () => {
  expect(loadPeer('Our room', PEERS, () => 7)).toBe(7);
  const code = 'MODULE_NOT_FOUND';
  expect(thrown({ code }, "Cannot find module '@some/peer'\nRequire stack:\n- /a.js")).toMatchObject(ABSENT);
  // As Yarn's Plug'n'Play says it.
  const message = 'tfrecord-native tried to access @some/peer (a peer dependency) but it isn’t provided';
  const pnpCode = 'MISSING_PEER_DEPENDENCY';
  expect(thrown({ code, pnpCode, data: { dependencyName: '@some/peer' } }, message)).toMatchObject(ABSENT);
});

test('a package that is there but lacks one of its own, or fails, keeps its error', () => {
  const code = 'MODULE_NOT_FOUND';
  expect(thrown({ code }, "Cannot find module 'of-the-peer'\nRequire stack:\n- /'other'/a.js")).toBe(
    'the error itself',
  );
  expect(thrown({ code, pnpCode: 'UNDECLARED_DEPENDENCY', data: { dependencyName: 'of-the-peer' } })).toBe(
    'the error itself',
  );
  expect(thrown({ code: 'ERR_DLOPEN_FAILED' }, "'other' has another ABI")).toBe('the error itself');
});
