/** A test of what only Linux has: /proc, names of any bytes. */
export const onLinux = process.platform === 'linux' ? test : test.skip;
