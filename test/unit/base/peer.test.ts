import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkPeer, installCommand, loadPeer } from '../../../lib/base/peer';
import { duckdb } from '../../../lib/sql';

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

test.each([
  ['/home/me/project/node_modules/tfrecord-native/dist', 'npm install a@1 b@2'],
  ['/home/me/tfrecord-native/lib', 'npm install a@1 b@2'],
  ['', 'npm install a@1 b@2'],
  ['/usr/local/lib/node_modules/tfrecord-native/dist', 'npm install -g a@1 b@2'],
  ['C:\\Users\\me\\AppData\\Roaming\\npm\\node_modules\\tfrecord-native\\dist\\sql', 'npm install -g a@1 b@2'],
  ['/home/me/.npm/_npx/0123/node_modules/tfrecord-native/dist', 'npx -p tfrecord-native -p a@1 -p b@2 tfrecord …'],
])('the command installs packages where those in %j find them', (folder, command) => {
  expect(installCommand(['a@1', 'b@2'], folder)).toBe(command);
});

test('a project in a folder "lib" is no place of global packages', () => {
  const parent = join(mkdtempSync(join(tmpdir(), 'tfrecord-peer-')), 'lib');
  const folder = join(parent, 'node_modules', 'tfrecord-native', 'dist');
  mkdirSync(parent);
  expect(installCommand(['a'], folder)).toBe('npm install -g a');
  writeFileSync(join(parent, 'package.json'), '{}');
  expect(installCommand(['a'], folder)).toBe('npm install a');
  rmSync(join(parent, '..'), { recursive: true });
});

describe('versions', () => {
  const versions = { name: 'other', install: '^2.1.0', lowest: '1.4', tried: ['1.4.0', '2.1.0'] } as const;
  const message = (found: string | undefined, has?: boolean): string => {
    try {
      checkPeer('Our room', versions, found, has);
      return 'suits';
    } catch (error) {
      expect(error).toHaveProperty('code', 'ERR_MODULE_NOT_FOUND');
      return (error as Error).message;
    }
  };

  test.each(['1.4.0', '1.4.0-r.2', '1.10.0', '2.0.0', '10.1.3-alpha.4'])('%s suits', (found) => {
    expect(message(found)).toBe('suits');
  });

  test.each(['1.3.9', '0.9.0', '0.0.1-dev', 'unknown'])('%s is too old', (found) => {
    expect(message(found)).toBe(
      `Our room needs other 1.4 or newer, found ${found} (tried: 1.4.0 to 2.1.0): npm install other@^2.1.0`,
    );
  });

  test('a package that lacks what is needed is too old, whatever its version', () => {
    expect(message('1.5.0', false)).toMatch(/^Our room needs other 1\.4 or newer, found 1\.5\.0 \(tried/);
    expect(message(undefined)).toBe('suits');
    expect(message(undefined, false)).toMatch(/^Our room needs other 1\.4 or newer \(tried/);
  });
});

test('DuckDB is the version that errors say to install', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const source = readFileSync(join(__dirname, '../../../lib/sql/peers.ts'), 'utf8');
  expect(source).toContain(`const NEWEST = '${devDependencies['@duckdb/node-api']!}';`);
  expect(devDependencies['@duckdb/node-api']).toMatch(`${duckdb().bindings.library_version().slice(1)}-`);
});
