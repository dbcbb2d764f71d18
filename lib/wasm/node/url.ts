/** What the rooms use of `node:url`, for a page. */
export function fileURLToPath(url: URL | string): string {
  return decodeURIComponent(new URL(url).pathname);
}
