import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkMessage } from '../../../../sandbox/slack/block-kit/surfaces.ts';
import { permissions } from '../../../../src/domain/access/roles.ts';
import { approvalMessage, approvalView } from '../../../../src/slack/features/approvals/approval-view.ts';
import { newsMessage } from '../../../../src/slack/features/approvals/news.ts';
import { approvalSettingsView } from '../../../../src/slack/features/approvals/settings-view.ts';
import type { Approval } from '../../../../src/store/approvals/approvals.ts';
import { anyText } from '../../../support/arbitrary-text.ts';
import { assertSlackAccepts } from '../../../support/slack/assert-slack-accepts.ts';

const label = anyText.filter((text) => text.length > 0);
const count = fc.nat({ max: 1_000_000 });
const at = new Date('2026-11-23T09:00:00Z');

/** What approvers are shown of a campaign, with any text. */
const campaignContent = fc.record({
  hash: label,
  start: fc.constantFrom(
    { verb: 'start' },
    { verb: 'start', startAt: at.getTime(), zone: 'Africa/Lagos', channelId: 'C0SUPPORT' },
    { verb: 'change_time', startAt: at.getTime(), latestStart: at.getTime(), zone: 'Europe/London' },
  ),
  name: label,
  text: anyText,
  personal: fc.boolean(),
  route: fc.constantFrom('dnd', 'generic', 'voice', 'chatapp'),
  senderId: label,
  counts: fc.record({
    recipients: count,
    duplicates: count,
    suppressed: count,
    acceptedBefore: count,
    invalid: count,
    pages: count,
    fewestPages: count,
    mostPages: count,
  }),
});

const orderContent = fc.record({
  hash: label,
  key: label,
  plan: fc.record({ productId: label, name: label, price: label, countries: fc.constant(['KEN']) }),
  iso3: fc.constant('KEN'),
  iccid: fc.constant('8944500000000000001'),
});

const approval: fc.Arbitrary<Approval> = fc
  .oneof(
    campaignContent.map((content) => ['campaign', content] as const),
    orderContent.map((content) => ['esim', content] as const),
  )
  .chain(([kind, content]) =>
    fc.record(
      {
        workspaceId: fc.constant('T1'),
        id: fc.constant('U1.request'),
        kind: fc.constant(kind),
        subject: fc.constant('sale'),
        requestedBy: fc.constant('U1'),
        owner: fc.constant('U1'),
        channelId: fc.constant('C1'),
        content: fc.constant(JSON.stringify(content)),
        expiresAt: fc.constant(at),
        createdAt: fc.constant(at),
        endedAt: fc.constant(at),
        endedBy: fc.constant('U2'),
        state: fc.constantFrom('waiting', 'approved', 'rejected', 'withdrawn', 'expired', 'void'),
        reason: label,
      },
      {
        requiredKeys: [
          'workspaceId',
          'id',
          'kind',
          'subject',
          'requestedBy',
          'owner',
          'channelId',
          'content',
          'expiresAt',
          'createdAt',
          'state',
        ],
      },
    ),
  );

describe('a request for approval', () => {
  it('is taken by Slack with any text, and has buttons for those who may press them, while it waits', () => {
    fc.assert(
      fc.property(approval, fc.constantFrom('U1', 'U2'), fc.boolean(), (shown, userId, mayApprove) => {
        const held = new Set(permissions.filter((each) => mayApprove || each !== 'approve'));
        const view = approvalView({ workspaceId: 'T1', userId, permissions: held, zone: 'UTC' }, shown);
        assertSlackAccepts(view);
        for (const message of [approvalMessage(shown), newsMessage(shown)]) {
          assert.equal(checkMessage({ ...message }), undefined);
        }
        const pressed = JSON.stringify(view);
        const waits = shown.state === 'waiting';
        assert.equal(pressed.includes('"approval_approve"'), waits && mayApprove && userId === 'U2');
        assert.equal(pressed.includes('"approval_withdraw"'), waits && userId === 'U1');
        assert.ok(!JSON.stringify(approvalMessage(shown)).includes('8944500000000000001'));
      }),
    );
  });
});

describe('the settings of approvals', () => {
  it('are taken by Slack, whatever was typed', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), anyText, anyText, (campaigns, esims, recipients, price) => {
        const typed = {
          recipients: recipients.slice(0, 20),
          price: price.slice(0, 20),
          channelId: 'C1',
          hours: '',
        };
        assertSlackAccepts(approvalSettingsView({ campaigns, esims, ...typed }, { currency: 'NGN' }));
      }),
    );
  });
});
