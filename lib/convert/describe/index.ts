/** Descriptions in parts, for the command: `tfrecord count --shard`, `tfrecord stats --shard`, and `tfrecord merge`. */
export { describePart, type DescribedPart, type PartWork } from './describe-part';
export type { DescribeCommand, FileCount } from './description-manifest';
export { openDescription, type Description } from './open-description';
