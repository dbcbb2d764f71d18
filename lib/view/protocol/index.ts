export * from './buckets';
export { Client, HostError, withStates, type AskOptions } from './client';
export { packFrame, unpackFrame } from './frames';
export { portOf, type MainPort } from './main-port';
export { serve, type Answers } from './serve';
export * from './messages';
