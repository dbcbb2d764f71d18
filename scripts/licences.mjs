/** The licences of packages that are bundled. */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Returns the licences of the packages in a bundle, to which the files `inputs`, relative to `root`, belong. `bundle` names
 * it, at the start of a sentence.
 */
export function licences(root, bundle, inputs) {
  const folders = new Set(
    Object.keys(inputs)
      .map((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
      .filter((folder) => folder !== undefined),
  );
  const texts = [...folders].sort().map((folder) => {
    const { name: its, version, license } = createRequire(import.meta.url)(join(root, folder, 'package.json'));
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e(?:[.-]|$)/i.test(entry));
    if (file === undefined) throw new Error(`${its} is bundled, and has no file with its licence`);
    return `${its} ${version} (${license})\n\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
  });
  const line = `\n${'-'.repeat(80)}\n\n`;
  return `${bundle} contains these packages.\n${line}${texts.join(line)}`;
}
