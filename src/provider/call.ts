/** What every call takes besides its input. */
export interface CallOptions {
  /** Ends the call early: as `not_sent` while nothing has left, as `unconfirmed` after. */
  readonly signal?: AbortSignal;
}
