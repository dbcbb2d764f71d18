export { Client, HostError, type AskOptions } from './client';
export { packFrame, unpackFrame } from './frames';
export { serve, type Answers } from './serve';
export * from './messages';
