/** What the command tells the shell. */
export const EXIT = {
  ok: 0,
  /** Data at fault, or a file that cannot be read. */
  fault: 1,
  /** Wrong arguments. */
  usage: 2,
  /** 128 + SIGINT, as shells have it. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
