import type { CallOptions } from './call.ts';
import type { Route } from './dialect.ts';
import type { Outcome } from './outcome.ts';

/** A message to one or to up to 100 recipients (API §4.1). Either `text` or, on the chat route, `media`. */
export interface Message {
  /** Recipients as digits in international format without `+`, each once. */
  readonly to: string | readonly string[];
  /** A sender ID; on the chat route a device name. */
  readonly from: string;
  readonly route: Route;
  readonly text?: string;
  readonly media?: { readonly url: string; readonly caption?: string };
  /** Default `plain` (`voice` on the voice route). `unicode` for text outside the GSM alphabet. */
  readonly type?: 'plain' | 'unicode' | 'voice' | 'encrypted';
}

/** The provider took the message. Nothing is known yet of its delivery. */
export interface SendResult {
  /** Up to 25 digits, or letters: text, never a number. */
  readonly messageId: string;
  /** Account balance after the send, exactly as the provider wrote it. */
  readonly balance?: string;
  /** The provider's success text. */
  readonly message?: string;
  /** The whole answer. Numbers that JavaScript would round are text in it. */
  readonly raw: unknown;
}

export interface Messages {
  send(message: Message, options?: CallOptions): Promise<Outcome<SendResult>>;
}
