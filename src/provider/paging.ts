/** One page of a list (API §2.1). */
export interface Page<T> {
  readonly records: readonly T[];
  /** Zero-based index of this page. */
  readonly number: number;
  readonly size: number;
  readonly totalElements?: number;
  readonly totalPages?: number;
  /** Whether no page follows. */
  readonly last: boolean;
}
