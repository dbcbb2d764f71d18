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
  const packages = [...folders].sort().map((folder) => {
    const about = createRequire(import.meta.url)(join(root, folder, 'package.json'));
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e(?:[.-]|$)/i.test(entry));
    return { ...about, text: file && readFileSync(join(root, folder, file), 'utf8').trim() };
  });
  const texts = packages.map(({ name, version, license, author, text }) => {
    // Some packages of an author come without the text that the others have.
    const same = packages.find(
      (other) => other.text && other.license === license && other.author?.name === author?.name,
    );
    const found = text ?? (author?.name && same?.text);
    if (found === undefined) throw new Error(`${name} is bundled, and has no file with its licence`);
    return `${name} ${version} (${license})\n\n${found}\n`;
  });
  const line = `\n${'-'.repeat(80)}\n\n`;
  return `${bundle} contains these packages.\n${line}${texts.join(line)}`;
}
