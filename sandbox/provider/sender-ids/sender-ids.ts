import { z } from 'zod';
import { addMinutes, lagosTimestamp } from '../../lib/lagos-time.ts';
import { ok } from '../http/replies.ts';
import { ProviderErrorReply, pageOf, pagingFields, senderIdField } from '../http/request-checks.ts';
import { type OperationHandler, operation } from '../operation.ts';
import type { AccountState, StoredSenderId } from '../state/state.ts';

/** API §4.10. A name matches in part, a status exactly, both ignoring case. */
const listSenderIds = operation({
  name: 'senderIds.list',
  method: 'GET',
  path: '/api/sender-id',
  fields: z.strictObject({
    name: z.string().exactOptional(),
    status: z.string().exactOptional(),
    ...pagingFields,
  }),
  answer({ name = '', status, ...paging }, { account }) {
    const found = account.senderIds.filter(
      (known) =>
        known.sender_id.toLowerCase().includes(name.toLowerCase()) &&
        (status === undefined || known.status.toLowerCase() === status.toLowerCase()),
    );
    return ok(pageOf(found.map(listed), paging));
  },
});

/** Removes `reviewAt`, which the API does not have. */
function listed({ reviewAt, ...shown }: StoredSenderId): Omit<StoredSenderId, 'reviewAt'> {
  return shown;
}

const required = z.string().trim().min(1, 'must not be empty');

/** The time from a request to its decision. */
export const reviewMinutes = 2;

/** API §4.11. The request has `use_case`, the listing `usecase`. */
const requestSenderId = operation({
  name: 'senderIds.request',
  method: 'POST',
  path: '/api/sender-id/request',
  fields: z.strictObject({ sender_id: senderIdField, use_case: required, company: required }),
  answer({ sender_id: name, use_case: usecase, company }, { account, now }) {
    if (account.senderIds.some((known) => known.sender_id === name)) {
      throw new ProviderErrorReply(400, `Sender ID ${name} already exists on your account`);
    }
    account.senderIds.unshift({
      sender_id: name,
      status: 'pending',
      country: 'Nigeria',
      createdAt: lagosTimestamp(now),
      company,
      usecase,
      reviewAt: addMinutes(now, reviewMinutes).toISOString(),
    });
    return ok({
      code: 'ok',
      message: 'Your request has been sent. Your account manager will get in touch with you',
    });
  },
});

/** Ends a review. Company and use case are listed only while a request is pending (API §2.4). */
export function review(
  { company, usecase, reviewAt, ...rest }: StoredSenderId,
  status: 'active' | 'DECLINED',
): StoredSenderId {
  return { ...rest, status };
}

/** Decides the due requests. The sandbox's rule: declines a use case that contains "declin". */
export function reviewSenderIds(account: AccountState, now: Date): void {
  account.senderIds = account.senderIds.map((known) => {
    if (known.reviewAt === undefined || new Date(known.reviewAt) > now) {
      return known;
    }
    return review(known, /declin/i.test(known.usecase ?? '') ? 'DECLINED' : 'active');
  });
}

export const senderIdOperations: readonly OperationHandler[] = [listSenderIds, requestSenderId];
