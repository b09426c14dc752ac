import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RespondError } from '@slack/bolt';
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import {
  isPermanentError,
  isRateLimited,
  isRejected,
  isSlackError,
  isSlackUnavailable,
  neverReachedSlack,
  notAccepted,
  type SlackErrorMeaning,
  slackErrorCode,
} from '../../../src/slack/client/slack-errors.ts';

interface Classification {
  rejected: boolean;
  permanent: boolean;
  rateLimited: boolean;
  unavailable: boolean;
}

const maybeDone: Classification = {
  rejected: false,
  permanent: false,
  rateLimited: false,
  unavailable: true,
};
const rejected: Classification = { rejected: true, permanent: true, rateLimited: false, unavailable: false };
const later: Classification = { ...rejected, permanent: false };

const codes: Record<string, [SlackErrorMeaning, Classification]> = {
  internal_error: ['maybe_done', maybeDone],
  fatal_error: ['maybe_done', maybeDone],
  service_unavailable: ['maybe_done', maybeDone],
  request_timeout: ['truncated', { ...later, unavailable: true }],
  rate_limited: ['rate_limited', { ...later, rateLimited: true }],
  ratelimited: ['rate_limited', { ...later, rateLimited: true }],
  account_inactive: ['bad_token', later],
  invalid_auth: ['bad_token', later],
  not_authed: ['bad_token', later],
  token_expired: ['bad_token', later],
  token_revoked: ['bad_token', later],
  access_denied: ['app_unavailable', later],
  accesslimited: ['app_unavailable', later],
  deprecated_endpoint: ['app_unavailable', later],
  ekm_access_denied: ['app_unavailable', later],
  enterprise_is_restricted: ['app_unavailable', later],
  message_limit_exceeded: ['app_unavailable', later],
  messages_tab_disabled: ['app_unavailable', later],
  method_deprecated: ['app_unavailable', later],
  missing_scope: ['app_unavailable', later],
  no_permission: ['app_unavailable', later],
  not_allowed_token_type: ['app_unavailable', later],
  org_login_required: ['app_unavailable', later],
  team_access_not_granted: ['no_access', later],
  team_added_to_org: ['app_unavailable', later],
  two_factor_setup_required: ['app_unavailable', later],
  attachment_payload_limit_exceeded: ['content', rejected],
  cannot_reply_to_message: ['message_gone', rejected],
  message_not_found: ['message_gone', rejected],
  thread_not_found: ['message_gone', rejected],
  invalid_arguments: ['content', rejected],
  invalid_attachments: ['content', rejected],
  invalid_blocks: ['content', rejected],
  invalid_blocks_format: ['content', rejected],
  msg_blocks_too_long: ['content', rejected],
  msg_too_long: ['content', rejected],
  no_text: ['content', rejected],
  too_many_attachments: ['content', rejected],
  expired_trigger_id: ['expired_trigger', rejected],
  exchanged_trigger_id: ['expired_trigger', rejected],
  invalid_trigger_id: ['expired_trigger', rejected],
  not_found: ['view_closed', rejected],
  hash_conflict: ['view_changed', rejected],
  push_limit_reached: ['view_stack_full', rejected],
  not_in_channel: ['other', rejected],
  channel_not_found: ['other', rejected],
  is_archived: ['other', rejected],
  restricted_action: ['other', rejected],
  user_disabled: ['other', rejected],
  view_too_large: ['other', rejected],
  a_code_of_the_future: ['other', rejected],
};

function classify(error: unknown): Classification {
  return {
    rejected: isRejected(error),
    permanent: isPermanentError(error),
    rateLimited: isRateLimited(error),
    unavailable: isSlackUnavailable(error),
  };
}

describe('an error code of Slack', () => {
  for (const [code, [meaning, classification]] of Object.entries(codes)) {
    it(`${code} means ${meaning}`, () => {
      const error = new WebAPIPlatformError({ ok: false, error: code });
      assert.equal(slackErrorCode(error), code);
      assert.ok(isSlackError(error, meaning));
      assert.deepEqual(classify(error), classification);
      assert.deepEqual([neverReachedSlack(error), notAccepted(error)], [false, false]);
    });
  }
});

const none: Classification = { rejected: false, permanent: false, rateLimited: false, unavailable: false };
const refusedConnection = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
const brokenConnection = Object.assign(new Error('reset'), { code: 'ECONNRESET' });

describe('a call to Slack that fails without an error code', () => {
  const failures: [
    what: string,
    error: unknown,
    Classification,
    { neverReached: boolean; notAccepted: boolean },
  ][] = [
    [
      'that was one too many',
      new WebAPIRateLimitedError(30),
      { ...none, rateLimited: true },
      { neverReached: false, notAccepted: true },
    ],
    [
      'without a connection',
      new WebAPIRequestError(refusedConnection),
      { ...none, unavailable: true },
      { neverReached: true, notAccepted: true },
    ],
    [
      'without a connection, as fetch throws it',
      new TypeError('fetch failed', { cause: refusedConnection }),
      none,
      { neverReached: true, notAccepted: true },
    ],
    [
      'over a connection that broke',
      new WebAPIRequestError(brokenConnection),
      { ...none, unavailable: true },
      { neverReached: false, notAccepted: false },
    ],
    [
      'with a 503',
      new WebAPIHTTPError(503, 'Service Unavailable', {}),
      { ...none, unavailable: true },
      { neverReached: false, notAccepted: false },
    ],
    [
      'at a response URL with a 429',
      new RespondError('no', 429),
      { ...none, rateLimited: true },
      { neverReached: false, notAccepted: false },
    ],
    [
      'at a response URL with a 500',
      new RespondError('no', 500),
      { ...none, unavailable: true },
      { neverReached: false, notAccepted: false },
    ],
    [
      'at a response URL with a 404',
      new RespondError('no', 404),
      none,
      { neverReached: false, notAccepted: false },
    ],
    ['with any other error', new Error('a fault'), none, { neverReached: false, notAccepted: false }],
  ];
  for (const [what, error, classification, expected] of failures) {
    it(`${what} is classified`, () => {
      assert.equal(slackErrorCode(error), undefined);
      assert.deepEqual(classify(error), classification);
      assert.deepEqual({ neverReached: neverReachedSlack(error), notAccepted: notAccepted(error) }, expected);
    });
  }
});
