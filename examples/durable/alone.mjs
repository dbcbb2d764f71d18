// Lets one process at a time convert. DBOS resumes what it finds unfinished at the start of a process, although the
// process that runs it may be alive: two would then write the same files.
import pg from 'pg';

/** DBOS_SYSTEM_DATABASE_URL, such as postgresql://user:password@db.example:5432/tfrecord. */
export const databaseUrl =
  process.env.DBOS_SYSTEM_DATABASE_URL ?? 'postgresql://postgres:dbos@127.0.0.1:5432/tfrecord_conversion';

/**
 * Waits until no other process has the lock `name`, and keeps it until this process ends. If the database goes away,
 * so does the lock: the process then ends, to be started again.
 */
export async function alone(name) {
  const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
  client.on('error', (error) => {
    console.error(`convert.mjs: the database is gone: ${error.message}`);
    process.exit(1);
  });
  await client.connect();
  const { rows } = await client.query('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS mine', [name]);
  if (rows[0].mine) return;
  console.log('another process converts: waiting until it ends');
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
}
