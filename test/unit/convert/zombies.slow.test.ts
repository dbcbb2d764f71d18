import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { abandonedFor } from '../../../lib/io/target/abandoned';
import { onLinux } from '../../support/on-linux';

onLinux('temporaries of a killed process whose parent has not waited for it are abandoned', async () => {
  // The shell becomes a program that never waits for children.
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [text] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(String(text));
    // A shell may wait for its children until it has become that program.
    while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8') !== 'sleep\n') await delay(5);
    const name = `.out.tfrecord.${pid}-0123456789ab.tmp`;
    expect(abandonedFor(name)).toBeUndefined();
    process.kill(pid, 'SIGKILL');
    const end = Date.now() + 10_000;
    while (abandonedFor(name) === undefined && Date.now() < end) await delay(5);
    expect(abandonedFor(name)).toEqual({ name: 'out.tfrecord', mayBeOurs: false });
    // It is still in the table of processes.
    expect(process.kill(pid, 0)).toBe(true);
  } finally {
    parent.kill('SIGKILL');
  }
});
