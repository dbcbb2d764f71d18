import type { ElementContext } from '../../../../lib';

export default function describe(value: unknown, context: ElementContext): unknown;
