/** The files of a conversion job, to be compared with those of another run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the name and the content of each file in `folder` that begins with `prefix`; of manifests all but the times. */
export function jobFiles(folder: string, prefix = ''): unknown {
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix));
  return names.sort().map((name) => {
    const content = readFileSync(join(folder, name));
    if (!name.endsWith('manifest.json')) return [name, content.toString('base64')];
    const { seconds: _seconds, finished: _finished, ...rest } = JSON.parse(String(content)) as Record<string, unknown>;
    return [name, rest];
  });
}
