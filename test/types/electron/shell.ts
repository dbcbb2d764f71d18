/** The preload script of examples/electron has the API that the page expects. */
import type { Shell as Offered } from '../../../examples/electron/preload.js';
import type { Shell as Taken } from '../../../lib/view/page/shell.js';

declare const offered: Offered;
export const taken: Taken = offered;
export const nothingElse: Record<Exclude<keyof Offered, keyof Taken>, never> = {};
