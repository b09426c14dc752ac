import type { NewApproval } from '../../../src/store/approvals/approvals.ts';

/** A request of U1 for the order *order*, which stands until 2100. */
export function newApproval(change: Partial<NewApproval> = {}): NewApproval {
  return {
    workspaceId: 'T1',
    id: 'U1.request',
    kind: 'esim',
    subject: 'order',
    requestedBy: 'U1',
    owner: 'U1',
    channelId: 'C1',
    content: '{}',
    expiresAt: new Date('2100-01-01'),
    ...change,
  };
}
