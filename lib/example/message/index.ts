export { tensorflow } from './messages.generated';
export { compareUtf8 } from './utf8-order';
