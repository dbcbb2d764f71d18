/** Calls `work` as a user whom permissions bind: root is another user meanwhile. */
export async function unprivileged(work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65534);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
