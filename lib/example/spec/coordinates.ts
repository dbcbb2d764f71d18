/** What errors expect of the coordinates in `where`, a dimension of `size` or its key. */
export function coordinatesIn(where: string, size: number): string {
  return size === 0 ? `no coordinates in ${where}, for the size is 0` : `coordinates from 0 to ${size - 1} in ${where}`;
}
