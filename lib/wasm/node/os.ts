/** What the rooms use of `node:os`, for a page. */
export const constants = {
  errno: { EIO: 5, ENOMEM: 12, ENFILE: 23, EMFILE: 24, ENOSYS: 38, ENOTSUP: 95, ECANCELED: 125 },
};
/** WebAssembly has one thread here. */
export const availableParallelism = (): number => 1;
