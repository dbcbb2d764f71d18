// What the producer and the workers share: the Redis server, the queue, and how often a job is tried.
export const QUEUE = 'tfrecord-conversion';

/** REDIS_URL, such as redis://:password@redis.example:6379. BullMQ wants commands to be tried for ever. */
export const connection = {
  url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
  maxRetriesPerRequest: null,
};

/** Five tries, the next after 1, 2, 4 and 8 seconds. A conversion goes on where the last try ended. */
export const tries = { attempts: 5, backoff: { type: 'exponential', delay: 1000 } };
