/** What a message travels on (API §1): promotional SMS, transactional SMS, the chat application, a voice call. */
export type Route = 'generic' | 'dnd' | 'chatapp' | 'voice';

/** What differs from provider account to provider account, or is not shown. Without its setting a feature is refused. */
export interface Dialect {
  /** The chat application's name as a `channel` (API §4.1). */
  readonly chatChannel: string;
  /** The name of the chat application's channel for one-time codes (API §4.2). */
  readonly chatOtpChannel?: string | undefined;
  /** The value of `type` for text outside the GSM alphabet. */
  readonly unicodeType?: string | undefined;
  /** The path of the call that speaks a one-time code. Default: the one of API §4.6, which knows a second. */
  readonly voiceOtpPath?: string | undefined;
  /**
   * How a delete names its contact (API §4.12 does not show it): `path` for a last step of the path, or the name of a
   * field as `query:NAME` or `body:NAME`.
   */
  readonly contactDeleteBy?: string | undefined;
}

/** The value of `channel` for a route. */
export function channelOf(route: Route, dialect: Dialect): string {
  return route === 'chatapp' ? dialect.chatChannel : route;
}
