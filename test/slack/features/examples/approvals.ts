import fc from 'fast-check';
import { permissions } from '../../../../src/domain/access/roles.ts';
import {
  approvalMessage,
  approvalView,
  requestEndedMessage,
  unpostedMessage,
} from '../../../../src/slack/features/approvals/approval-view.ts';
import type { Approval } from '../../../../src/store/approvals/approvals.ts';
import { amount, at, drawn, type Examples, type Words } from '../../../support/slack/example-words.ts';

export const approvals: Examples = (words) => {
  const approval = approvalOf(words);
  return {
    approvalMessage: drawn({ approval, isAgain: fc.boolean() }, ({ approval, isAgain }) =>
      approvalMessage(approval, isAgain ? changed : undefined),
    ),
    unpostedMessage: approval.map(unpostedMessage),
    requestEndedMessage: approval.map(requestEndedMessage),
    approvalView: drawn({ approval, userId: fc.constantFrom('U1', 'U2') }, ({ approval, userId }) =>
      approvalView({ workspaceId: 'T1', userId, permissions: new Set(permissions), zone: 'UTC' }, approval),
    ),
  };
};

const changed = { at, seen: { quietHours: true as const }, changes: ['quiet_hours' as const] };

/** A request for the approval of a campaign or an eSIM, in every state. */
export function approvalOf({ any, label }: Words): fc.Arbitrary<Approval> {
  const planned = { startAt: at.getTime(), zone: 'Africa/Lagos' };
  const campaign = fc.record({
    version: label,
    start: fc.constantFrom(
      { verb: 'start' },
      { verb: 'start', ...planned, channelId: 'C0SUPPORT' },
      { verb: 'change_time', ...planned, latestStart: at.getTime() },
    ),
    name: label,
    seen: fc.constantFrom({}, { quietHours: true }),
    text: any,
    personal: fc.boolean(),
    route: fc.constantFrom('dnd', 'generic', 'voice', 'chatapp'),
    senderId: label,
    counts: fc.record({
      recipients: amount,
      duplicates: amount,
      suppressed: amount,
      acceptedBefore: amount,
      invalid: amount,
      pages: amount,
      fewestPages: amount,
      mostPages: amount,
    }),
  });
  const order = fc.record({
    key: label,
    plan: fc.record({ productId: label, name: label, price: label, countries: fc.constant(['KEN']) }),
    iso3: fc.constant('KEN'),
    iccid: fc.constant('8944500000000000001'),
  });
  const request = fc.oneof(
    campaign.map((content) => ({ kind: 'campaign' as const, content: JSON.stringify(content) })),
    order.map((content) => ({ kind: 'esim' as const, content: JSON.stringify(content) })),
  );
  const decision = fc.record({
    state: fc.constantFrom('waiting', 'approved', 'rejected', 'withdrawn', 'expired', 'void'),
    reason: fc.option(label, { nil: undefined }),
    endedBy: fc.constantFrom('U2', undefined),
  });
  return fc.tuple(request, decision).map(([request, decision]) => ({
    workspaceId: 'T1',
    id: 'U1.request',
    subject: 'sale',
    requestedBy: 'U1',
    owner: 'U1',
    channelId: 'C1',
    expiresAt: at,
    createdAt: at,
    endedAt: at,
    ...request,
    ...decision,
  }));
}
