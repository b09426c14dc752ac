import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { permissions } from '../../../../src/domain/access/roles.ts';
import { approvalMessage, approvalView } from '../../../../src/slack/features/approvals/approval-view.ts';
import { wildWords } from '../../../support/slack/example-words.ts';
import { approvalOf } from '../examples/approvals.ts';

it('a request for approval has buttons for those who may press them, while it waits', () => {
  const approval = approvalOf(wildWords);
  fc.assert(
    fc.property(approval, fc.constantFrom('U1', 'U2'), fc.boolean(), (shown, userId, mayApprove) => {
      const held = new Set(permissions.filter((each) => mayApprove || each !== 'approve'));
      const viewer = { workspaceId: 'T1', userId, permissions: held, zone: 'UTC' };
      const view = JSON.stringify(approvalView(viewer, shown));
      const waits = shown.state === 'waiting';
      assert.equal(/"approval_approve(?:_morning)?"/.test(view), waits && mayApprove && userId === 'U2');
      assert.equal(view.includes('"approval_withdraw"'), waits && userId === 'U1');
      assert.ok(!JSON.stringify(approvalMessage(shown)).includes('8944500000000000001'));
    }),
  );
});
