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

/** What is told of an error, and what the log has of it. */
function told(error: unknown) {
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
    'Slack out of reach',
    [
      new WebAPIRequestError(new Error('ECONNRESET')),
      new WebAPIHTTPError(503, 'Service Unavailable', {}),
      slackSays('internal_error'),
      new RespondError('no', 500),
    ],
    /could not be reached/,
  ],
  ['a full disk', [store('disk_full')], /disk is full/],
  ['a disk that fails or is read-only', [store('disk_fault')], /read-only or failing/],
  ['a locked database', [store('locked')], /Another program holds .* database/],
  ['a stop', [store('closed')], /being stopped or restarted/],
];

describe('what a person is told of an error', () => {
  for (const [what, errors, words] of passing) {
    it(`${what} is named, with whether anything was sent and what to do`, () => {
      for (const error of errors) {
        const { source, log } = told(error);
        assert.match(source, words);
        assert.match(source, /Nothing was sent unless your history shows it\. (Try|Ask|Tell) /);
        assert.doesNotMatch(source, /fault `/);
        assert.match(log, /"level":40|"level":"warn"/);
      }
    });
  }

  it('a trigger that expired: nothing was sent', () => {
    assert.match(told(slackSays('expired_trigger_id')).source, /Slack gave up.*Nothing was sent/);
  });

  it('a refusal is its own words, and no matter for the log', () => {
    assert.deepEqual(told(new UserError(mrkdwn`Not today.`)), { source: 'Not today.', log: '' });
  });

  it('anything else has an id, which the log has too, and nothing of its own text', () => {
    for (const error of [new Error('secret'), slackSays('invalid_arguments'), store('unreadable')]) {
      const { source, log } = told(error);
      const [, fault = 'none'] = /fault `([0-9a-f]{8})`/.exec(source) ?? [];
      assert.ok(log.includes(fault));
      assert.doesNotMatch(source, /secret/);
    }
  });
});
