export { tensorflow } from './messages.generated';
