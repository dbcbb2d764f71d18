/** Takes the place of `lib/io/clouds` in a page, which has no packages of clouds: `https:` is read there, and nothing else. */

export const AzureStore = undefined;
export const GcsStore = undefined;
export const S3Store = undefined;

export function defaultStore(): undefined {
  return undefined;
}
