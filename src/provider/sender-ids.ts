import { z } from 'zod';
import { nonEmptyText, senderId } from './request/input-fields.ts';
import { defineOperation, type RequestOptions, type RequestSender } from './request/request-sender.ts';
import {
  okCode,
  omitUndefined,
  optionalInstant,
  optionalText,
  record,
  sentAs,
  text,
} from './response/fields.ts';
import { eachPage, page, pageParameters, pageQuery } from './response/paging.ts';

export function createSenderIdOperations(request: RequestSender) {
  const fetchPage = (query: SenderIdQuery = {}, options?: RequestOptions) => request(list, query, options);
  return {
    /** One page of the account's sender IDs. */
    list: fetchPage,
    /** Iterates over all pages. Throws a `ProviderFailure` where a page is not accepted. */
    all: (query: SenderIdQuery = {}, options?: RequestOptions) =>
      eachPage((page) => fetchPage(page, options), query),
    request: (input: SenderIdRequest, options?: RequestOptions) => request(requestSenderId, input, options),
  };
}

const filter = z.string('must be text').trim().min(1, 'must not be empty').optional();
const listInput = z.object({ name: filter, status: filter, ...pageQuery });

/** Filters and page (API §4.10). The provider chooses absent values. */
export type SenderIdQuery = z.input<typeof listInput>;

/** A sender ID of the account (API §2.4). */
const senderIdRecord = record({
  senderId: sentAs('sender_id', text),
  /** In lower case: `active`, `pending`, `declined`, a blocked state, or `unknown` where it is absent. */
  status: text.transform((status) => status.toLowerCase()).catch('unknown'),
  country: optionalText,
  createdAt: optionalInstant,
  company: optionalText,
  useCase: sentAs('usecase', optionalText),
});
export type SenderId = z.output<typeof senderIdRecord>;

const list = defineOperation({
  name: 'senderIds.list',
  input: listInput,
  request: ({ name, status, ...page }) => ({
    method: 'GET',
    path: '/api/sender-id',
    query: { ...omitUndefined({ name, status }), ...pageParameters(page) },
  }),
  expect: (asked) => ({ answer: page(senderIdRecord, asked) }),
});

const requestInput = z.object({
  senderId,
  /** A sample message. */
  useCase: nonEmptyText,
  company: nonEmptyText,
});

/** A sender ID for the provider's administrators to approve (API §4.11). */
export type SenderIdRequest = z.input<typeof requestInput>;

/** The provider accepted the request. The list shows days later whether the sender ID is approved. */
const requested = record({ code: okCode, message: optionalText });

const requestSenderId = defineOperation({
  name: 'senderIds.request',
  input: requestInput,
  request: ({ senderId, useCase, company }) => ({
    method: 'POST',
    path: '/api/sender-id/request',
    json: { sender_id: senderId, use_case: useCase, company },
  }),
  expect: () => ({ answer: requested }),
});
