'use strict';

/**
 * Runs the storage emulator of firebase-tools on loopback: node firebase.cjs PACKAGES. Prints its address. Its own `start`
 * would download a program for the rules of access, which the interface of GCS does not ask.
 */
const { join } = require('node:path');

const emulators = join(process.argv[2], 'firebase-tools', 'lib', 'emulator');
const { StorageEmulator } = require(join(emulators, 'storage'));
const { createApp } = require(join(emulators, 'storage', 'server'));
const { EmulatorRegistry } = require(join(emulators, 'registry'));

const projectId = 'demo-test';
const args = { projectId, host: '127.0.0.1', port: 0, rules: { name: 'storage.rules', content: '' } };
const emulator = new StorageEmulator(args);
EmulatorRegistry.set('storage', emulator);
createApp(projectId, emulator).then((app) => {
  const server = app.listen(0, '127.0.0.1', () => {
    args.port = server.address().port;
    console.log(`http://127.0.0.1:${args.port}`);
  });
});
