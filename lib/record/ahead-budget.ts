/** What bounds the memory of what is read and made ahead of use, for many that share it. */
export interface AheadBudget {
  /** Bytes that are left; not above 0 where nobody should run ahead. */
  readonly room: number;
  /** Bytes that wait to be used. */
  hold(bytes: number): void;
  /** They are used, or given up. */
  release(bytes: number): void;
}
