/** The servers of the other tests start, answer, and end. */
import { existsSync } from 'node:fs';

import { describeWith, startServer, type ServerName } from '../../support/servers/servers';

const NAMES: readonly ServerName[] = ['nginx', 's3rver', 'swift', 'azurite', 'firebase'];

for (const name of NAMES) {
  describeWith(name)(name, () => {
    test('starts on loopback, and ends when it is stopped', async () => {
      const { url, folder, stop } = await startServer(name);
      try {
        expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
        expect((await fetch(url)).status).toBeGreaterThanOrEqual(200);
      } finally {
        await stop();
      }
      expect(existsSync(folder)).toBe(false);
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    });
  });
}
