/** Checks the documents in a package: links resolve, and code compiles. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Returns `document: link` for every relative link in README.md and docs whose target does not exist in `folder`. */
export function brokenLinks(folder) {
  const documents = ['README.md', ...readdirSync(join(folder, 'docs')).map((name) => join('docs', name))];
  return documents
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => {
      const links = [...readFileSync(join(folder, name), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
      return links.filter((link) => !/^(https?:|#)/.test(link)).map((link) => [name, link.replace(/#.*/, '')]);
    })
    .filter(([name, link]) => {
      const target = join(folder, dirname(name), link);
      return relative(folder, target).startsWith('..') || !existsSync(target);
    })
    .map(([name, link]) => `${name}: ${link}`);
}

/** Returns the JavaScript snippets of README.md and of the pages about Examples and WebAssembly; of HTML, its modules. */
export function snippets(folder) {
  return ['README.md', ...['parsing.md', 'encoding.md', 'wasm.md'].map((name) => join('docs', name))].flatMap(
    (name) => {
      const document = readFileSync(join(folder, name), 'utf8');
      const modules = htmlSnippets(document).map((page) => /<script type="module">\n(.*?)<\/script>/s.exec(page)[1]);
      return [...[...document.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code), ...modules];
    },
  );
}

/** Returns the HTML snippets of the text of a document. */
export function htmlSnippets(document) {
  return [...document.matchAll(/^```html\n(.*?)^```/gms)].map(([, page]) => page);
}
