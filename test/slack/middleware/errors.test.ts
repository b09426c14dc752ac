import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RespondError } from '@slack/bolt';
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { createLog } from '../../../src/lib/log.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { explainError, UserError } from '../../../src/slack/middleware/errors.ts';
import { StoreError, type StoreFault } from '../../../src/store/errors.ts';

const slackSays = (error: string) => new WebAPIPlatformError({ ok: false, error });
const store = (fault: StoreFault) => new StoreError(fault, 'for the log');

/** The explanation of an error, and its log line. */
function explained(error: unknown) {
  let log = '';
  const write = (line: string) => {
    log += line;
  };
  const { source } = explainError(error, createLog('trace', { write }));
  return { source, log };
}

const passing: [what: string, errors: Error[], words: RegExp][] = [
  [
    'Slack’s limit',
    [
      new WebAPIRateLimitedError(30),
      slackSays('ratelimited'),
      slackSays('rate_limited'),
      new RespondError('no', 429),
    ],
    /takes only so much .* in a minute/,
  ],
  [
    'that Slack is out of reach',
    [
      new WebAPIRequestError(new Error('ECONNRESET')),
      new WebAPIHTTPError(503, 'Service Unavailable', {}),
      slackSays('internal_error'),
      new RespondError('no', 500),
    ],
    /could not be reached/,
  ],
  ['a full disk', [store('disk_full')], /disk is full/],
  ['a failing or read-only disk', [store('disk_fault')], /read-only or failing/],
  ['a locked database', [store('locked')], /Another program holds .* database/],
  ['a stop', [store('closed')], /being stopped or restarted/],
];

describe('the explanation of an error', () => {
  for (const [what, errors, words] of passing) {
    it(`names ${what}, whether anything was sent, and what to do`, () => {
      for (const error of errors) {
        const { source, log } = explained(error);
        assert.match(source, words);
        assert.match(source, /Nothing was sent unless your history shows it\. (Try|Ask|Tell) /);
        assert.doesNotMatch(source, /fault `/);
        assert.match(log, /"level":40|"level":"warn"/);
      }
    });
  }

  it('says that nothing was sent when a trigger has expired', () => {
    assert.match(explained(slackSays('expired_trigger_id')).source, /Slack gave up.*Nothing was sent/);
  });

  it('is the message of a UserError, which is not logged', () => {
    assert.deepEqual(explained(new UserError(mrkdwn`Not today.`)), { source: 'Not today.', log: '' });
  });

  it('gives any other error an id, which is logged too, and hides its message', () => {
    for (const error of [new Error('secret'), slackSays('invalid_arguments'), store('unreadable')]) {
      const { source, log } = explained(error);
      const [, fault = 'none'] = /fault `([0-9a-f]{8})`/.exec(source) ?? [];
      assert.ok(log.includes(fault));
      assert.doesNotMatch(source, /secret/);
    }
  });
});
