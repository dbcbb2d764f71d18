/** Test files do not slow down those that run behind them in the same process. */
import { AsyncLocalStorage } from 'node:async_hooks';

interface Environment {
  teardown(): Promise<void>;
}

const FileEnvironment = jest.requireActual<new (config: object, context: object) => Environment>(
  '../support/running/environment.cjs',
);

test('asynchronous storage of a test file is off behind it', async () => {
  const environment = new FileEnvironment({ projectConfig: { testEnvironmentOptions: {} } }, {});
  const storage = new AsyncLocalStorage<string>();
  await storage.run('here', async () => {
    await Promise.resolve();
    expect(storage.getStore()).toBe('here');
    await environment.teardown();
    expect(storage.getStore()).toBeUndefined();
  });
});
