/** What differs between provider accounts, or is not documented. An operation that needs a missing field is refused. */
export interface Dialect {
  /** The chat application's name as a `channel` (API §4.1). */
  readonly chatChannel: string;
  /** The name of the chat application's channel for one-time codes (API §4.2). */
  readonly chatOtpChannel?: string | undefined;
  /** The value of `type` for text outside the GSM alphabet. */
  readonly unicodeType?: string | undefined;
  /** The currency of balances, which name none (API §2.2): an ISO 4217 code. */
  readonly currency?: string | undefined;
  /** The path that sends a code by voice call. Default: `/api/sms/otp/call` (API §4.6, which mentions a second path). */
  readonly voiceOtpPath?: string | undefined;
  /**
   * How a deletion names its contact, which API §4.12 does not show: `path` for a last path segment, or the name of a
   * field as `query:NAME` or `body:NAME`.
   */
  readonly contactDeleteBy?: string | undefined;
  /**
   * Whether an answer with an id needs the success marker that the description requires: the `code` of a
   * message, the `status` of a one-time code. Defaults to `required`.
   */
  readonly successMarker?: 'required' | 'optional' | undefined;
  /** The path that says what became of a message, which is beyond the description. Without it, the operation is refused. */
  readonly historyPath?: string | undefined;
  /** What the `amount` of a record of that is; not used unless it is the cost. */
  readonly historyAmount?: 'cost' | 'other' | undefined;
  /** The path that lists the phonebooks, which is beyond the description. Without it, the operation is refused. */
  readonly phonebooksPath?: string | undefined;
  /** The path that verifies a code of the provider's, which is beyond the description. Without it, the operation is refused. */
  readonly tokenVerifyPath?: string | undefined;
  /** The path that reads the account's balance, which is beyond the description. Without it, the operation is refused. */
  readonly balancePath?: string | undefined;
}
