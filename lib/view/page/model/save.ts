/** Passes a file to the browser. */
export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), LATER_MS);
}

/** The browser reads the blob after the click. */
const LATER_MS = 60_000;

/** Returns a name for the file of a curve, without characters that systems forbid. */
export function fileNameOf(tag: string, ending: string): string {
  const name = tag
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, MAX_NAME);
  return `${name === '' ? 'curve' : name}${ending}`;
}

const MAX_NAME = 100;
