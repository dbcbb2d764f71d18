/** A batch could not be made: what is wrong is wrong with element `index` of it, and not with those before. */
export class ElementFault extends Error {
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super('an element of a batch is at fault', { cause });
    this.index = index;
  }
}
