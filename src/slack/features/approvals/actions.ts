/** What can be done with a request. The value of each is the id of the request. */
export const approvalActions = {
  approve: 'approval_approve',
  reject: 'approval_reject',
  withdraw: 'approval_withdraw',
} as const;
