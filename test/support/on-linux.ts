/** Defines a test that needs Linux: /proc, or names of any bytes. */
export const onLinux = process.platform === 'linux' ? test : test.skip;
