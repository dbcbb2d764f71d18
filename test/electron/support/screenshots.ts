/** The pictures of the documents, of the real apps: `TFRECORD_WRITE_SCREENSHOTS=1 npm run test:electron` makes them anew. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';

import { ROOT } from '../../support/running/compiled-sources';

/** Writes what `page` shows as docs/NAME, if that is wanted. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (process.env['TFRECORD_WRITE_SCREENSHOTS'] !== '1') return;
  await page.screenshot({ path: join(ROOT, 'docs', name), animations: 'disabled' });
}
