import { z } from 'zod';
import { operation } from './operation.ts';
import { pageOf, pagingFields } from './paging.ts';
import { ok } from './replies.ts';

/** API §4.10. A name matches in part, a status as a whole, both in any case. */
export const listSenderIds = operation({
  name: 'senderIds.list',
  method: 'GET',
  path: '/api/sender-id',
  fields: z.strictObject({
    name: z.string().exactOptional(),
    status: z.string().optional(),
    ...pagingFields,
  }),
  answer({ name = '', status, ...paging }, { account }) {
    const found = account.senderIds.filter(
      (senderId) =>
        senderId.sender_id.toLowerCase().includes(name.toLowerCase()) &&
        (status === undefined || senderId.status.toLowerCase() === status.toLowerCase()),
    );
    return ok(pageOf(found, paging));
  },
});
