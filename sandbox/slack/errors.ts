import type { JsonObject } from '../lib/json.ts';

/** An error of the Slack API, answered as `{ok: false, error}`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly messages: string[];
  readonly extra: JsonObject;

  constructor(code: string, messages: string[] = [], extra: JsonObject = {}) {
    super(messages.length === 0 ? code : `${code}: ${messages.join(' ')}`);
    this.code = code;
    this.messages = messages;
    this.extra = extra;
  }

  /** Returns the body of the answer. */
  toAnswer(): JsonObject {
    return {
      ok: false,
      error: this.code,
      ...this.extra,
      ...(this.messages.length > 0 && { response_metadata: { messages: this.messages } }),
    };
  }
}

/**
 * Thrown for an action that the person can't perform, such as a missing button or a channel they aren't in.
 */
export class UserActionError extends Error {
  override readonly name = 'UserActionError';
}
