import { RespondError } from '@slack/bolt';
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { ProxyRefusedError } from '../../lib/http/proxy.ts';

/**
 * The error codes of Slack's Web API, by what they say about the call. Source: the *Errors* table of each method.
 * Any other code is `other`: Slack rejects the request or the user.
 */
const codesByMeaning = {
  /** Slack failed while it handled the call, and may have done it all the same. */
  maybe_done: ['internal_error', 'fatal_error', 'service_unavailable'],
  /** The request did not arrive in whole. */
  truncated: ['request_timeout'],
  rate_limited: ['rate_limited', 'ratelimited'],
  /** The app's own token is not valid. The account of a deactivated user is `user_disabled`. */
  bad_token: ['account_inactive', 'invalid_auth', 'not_authed', 'token_expired', 'token_revoked'],
  /** The app is installed in the enterprise, but not in this workspace of it. */
  no_access: ['team_access_not_granted'],
  /** The app may not do this now, or nobody in the workspace may: it passes, or an admin can change it. */
  app_unavailable: [
    'access_denied',
    'accesslimited',
    'deprecated_endpoint',
    'ekm_access_denied',
    'enterprise_is_restricted',
    'message_limit_exceeded',
    'messages_tab_disabled',
    'method_deprecated',
    'missing_scope',
    'no_permission',
    'not_allowed_token_type',
    'org_login_required',
    'team_added_to_org',
    'two_factor_setup_required',
  ],
  /** The message itself is not valid. */
  content: [
    'attachment_payload_limit_exceeded',
    'invalid_arguments',
    'invalid_attachments',
    'invalid_blocks',
    'invalid_blocks_format',
    'msg_blocks_too_long',
    'msg_too_long',
    'no_text',
    'too_many_attachments',
  ],
  /** The message that is to be changed or answered is gone, or takes no answers. */
  message_gone: ['cannot_reply_to_message', 'message_not_found', 'thread_not_found'],
  /** A trigger is valid for 3 s, and once. */
  expired_trigger: ['expired_trigger_id', 'exchanged_trigger_id', 'invalid_trigger_id'],
  /** Of views.update: the user has closed the view. */
  view_closed: ['not_found'],
  /** Of views.update: the view has changed since the hash was read. */
  view_changed: ['hash_conflict'],
  /** Of views.push: three modals are open already. */
  view_stack_full: ['push_limit_reached'],
} as const satisfies Record<string, readonly string[]>;

export type SlackErrorMeaning = keyof typeof codesByMeaning | 'other';

const meanings = new Map<string, string>(
  Object.entries(codesByMeaning).flatMap(([meaning, codes]) => codes.map((code) => [code, meaning])),
);

/** Meanings after which the same call may succeed later. */
const temporary = new Set<string>(['truncated', 'rate_limited', 'bad_token', 'no_access', 'app_unavailable']);

/** Slack: at most these are in the name of a scope. It names several with a comma. */
const scopeNames = /^[a-z:._,]{1,200}$/;

/** Returns the scope that a call lacks according to Slack; undefined if Slack names none. */
export function neededScope(error: unknown): string | undefined {
  const needed: unknown =
    error instanceof WebAPIPlatformError && 'needed' in error.data ? error.data.needed : undefined;
  return typeof needed === 'string' && scopeNames.test(needed) ? needed.replaceAll(',', ', ') : undefined;
}

/** Returns Slack's error code; undefined if Slack answered without one. */
export function slackErrorCode(error: unknown): string | undefined {
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}

/** Whether Slack answered with an error code of this meaning. */
export function isSlackError(error: unknown, meaning: SlackErrorMeaning): boolean {
  return meaningOf(error) === meaning;
}

function meaningOf(error: unknown): string | undefined {
  const code = slackErrorCode(error);
  return code === undefined ? undefined : (meanings.get(code) ?? 'other');
}

/** Whether Slack answered that it did not do it. */
export function isRejected(error: unknown): boolean {
  const meaning = meaningOf(error);
  return meaning !== undefined && meaning !== 'maybe_done';
}

/** Whether Slack would reject the same call again, because of the request or the user. */
export function isPermanentError(error: unknown): boolean {
  const meaning = meaningOf(error);
  return isRejected(error) && meaning !== undefined && !temporary.has(meaning);
}

/** Whether Slack, or a `response_url` of Slack's, rejected the call as one too many. */
export function isRateLimited(error: unknown): boolean {
  return (
    error instanceof WebAPIRateLimitedError ||
    isSlackError(error, 'rate_limited') ||
    (error instanceof RespondError && error.statusCode === 429)
  );
}

/** Whether Slack could not be reached, or failed. */
export function isSlackUnavailable(error: unknown): boolean {
  return (
    error instanceof WebAPIRequestError ||
    error instanceof WebAPIHTTPError ||
    isSlackError(error, 'maybe_done') ||
    isSlackError(error, 'truncated') ||
    (error instanceof RespondError && error.statusCode >= 500)
  );
}

const connectionNeverMade = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  // The proxy did not lead there.
  'UND_ERR_PRX_CONN',
  'UND_ERR_PRX_TLS',
  new ProxyRefusedError().code,
]);

/** Whether a failed call provably never reached Slack. */
export function neverReachedSlack(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = originalOf(cause)) {
    if ('code' in cause && typeof cause.code === 'string' && connectionNeverMade.has(cause.code)) {
      return true;
    }
  }
  return false;
}

/** `WebAPIRequestError` keeps its cause in `original`, fetch in `cause`. */
function originalOf(error: Error): unknown {
  return 'original' in error ? error.original : error.cause;
}

/** Whether Slack provably did not act on a failed call: it never arrived, or was one too many. */
export function notAccepted(error: unknown): boolean {
  return neverReachedSlack(error) || error instanceof WebAPIRateLimitedError;
}
