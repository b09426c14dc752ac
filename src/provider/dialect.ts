/** What a message travels on (API §1): promotional SMS, transactional SMS, the chat application, a voice call. */
export type Route = 'generic' | 'dnd' | 'chatapp' | 'voice';

/** What differs from provider account to provider account, or is not shown in the description. */
export interface Dialect {
  /** The chat application's name as a `channel` (API §4.1). */
  readonly chatChannel: string;
  /** The value of `type` for text outside the GSM alphabet; without it such a text cannot be sent. */
  readonly unicodeType?: string;
}

/** The value of `channel` for a route. */
export function channelOf(route: Route, dialect: Dialect): string {
  return route === 'chatapp' ? dialect.chatChannel : route;
}
