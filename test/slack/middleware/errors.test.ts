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
import { type Markup, mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { explainError, UserError } from '../../../src/slack/middleware/errors.ts';
import { StoreError, type StoreFault } from '../../../src/store/engine/errors.ts';

const slackSays = (error: string) => new WebAPIPlatformError({ ok: false, error });
const store = (fault: StoreFault) => new StoreError(fault, 'for the log');

const checkFirst = mrkdwn`Look first.`;

/** The explanation of an error, and its log line. `advice`: as for a request that may have sent something. */
function explained(error: unknown, advice?: Markup) {
  let log = '';
  const write = (line: string) => {
    log += line;
  };
  const { source } = explainError(error, createLog('trace', { write }), { checkFirst: advice });
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
    /Slack is limiting Switchboard’s requests\. Try again in a minute/,
  ],
  [
    'that Slack is out of reach',
    [
      new WebAPIRequestError(new Error('ECONNRESET')),
      new WebAPIHTTPError(503, 'Service Unavailable', {}),
      slackSays('internal_error'),
      new RespondError('no', 500),
    ],
    /Slack didn’t answer\. Try again/,
  ],
  ['a full disk', [store('disk_full')], /disk is full\. Ask /],
  ['a failing or read-only disk', [store('disk_fault')], /read-only or failing\. Tell /],
  ['a locked database', [store('locked')], /Another program is using .* database\. Try again/],
  ['a stop', [store('closed')], /is restarting\. Try again/],
];

describe('the explanation of an error', () => {
  for (const [what, errors, words] of passing) {
    it(`names ${what} and what to do, and where to look first if something may have been sent`, () => {
      for (const error of errors) {
        const { source, log } = explained(error);
        assert.match(source, words);
        assert.doesNotMatch(source, /ref `|Look first/);
        assert.equal(explained(error, checkFirst).source, `${source} Look first.`);
        assert.match(log, /"level":40|"level":"warn"/);
      }
    });
  }

  it('asks for another try when a trigger has expired, before which nothing is sent', () => {
    const { source } = explained(slackSays('expired_trigger_id'), checkFirst);
    assert.equal(source, 'That took too long. Try again.');
  });

  it('is the message of a UserError, which is not logged', () => {
    assert.deepEqual(explained(new UserError(mrkdwn`Not today.`)), { source: 'Not today.', log: '' });
  });

  it('has an id for any other error, which is logged too, and omits its message', () => {
    for (const error of [new Error('secret'), slackSays('invalid_arguments'), store('unreadable')]) {
      const { source, log } = explained(error);
      const [, fault = 'none'] = /ref `([0-9a-f]{8})`/.exec(source) ?? [];
      assert.ok(log.includes(fault));
      assert.doesNotMatch(source, /secret/);
      assert.match(
        explained(error, checkFirst).source,
        /^Something went wrong \(ref `\w+`\)\. Look first\.$/,
      );
    }
  });
});
