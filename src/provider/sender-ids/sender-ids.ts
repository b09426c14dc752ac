import { z } from 'zod';
import type { Outcome } from '../errors.ts';
import { eachRecord } from '../request/each-record.ts';
import { nonEmptyText, senderId } from '../request/input-fields.ts';
import type { ProviderOperation, RequestOptions, RequestSender } from '../request/request-sender.ts';
import { okCode, omitUndefined, optionalInstant, optionalText, record, text } from '../response/fields.ts';
import { type Page, type PageQuery, page, pageParameters, pageQuery } from '../response/paging.ts';

/** A sender ID of the account (API §2.4). */
export interface SenderId {
  readonly senderId: string;
  /** In lower case: `active`, `pending`, `declined`, a blocked state, or `unknown` where it is absent. */
  readonly status: string;
  readonly country?: string | undefined;
  readonly createdAt?: Date | undefined;
  readonly company?: string | undefined;
  readonly useCase?: string | undefined;
  readonly raw: unknown;
}

/** Filters and page (API §4.10). The provider chooses what is absent. */
export interface SenderIdQuery extends PageQuery {
  readonly name?: string | undefined;
  readonly status?: string | undefined;
}

/** A sender ID for the provider's administrators to approve (API §4.11). */
export interface SenderIdRequest {
  /** 3 to 11 letters and digits, or a number. */
  readonly senderId: string;
  /** A sample message. */
  readonly useCase: string;
  readonly company: string;
}

/** The provider accepted the request. The list shows days later whether the sender ID is approved. */
export interface SenderIdRequested {
  readonly message?: string | undefined;
  readonly raw: unknown;
}

export interface SenderIdOperations {
  /** One page of the account's sender IDs. */
  list(query?: SenderIdQuery, options?: RequestOptions): Promise<Outcome<Page<SenderId>>>;
  /** Iterates over all pages. Throws a `ProviderFailure` where a page is not accepted. */
  all(query?: SenderIdQuery, options?: RequestOptions): AsyncGenerator<SenderId, void, undefined>;
  request(request: SenderIdRequest, options?: RequestOptions): Promise<Outcome<SenderIdRequested>>;
}

export function createSenderIdOperations(request: RequestSender): SenderIdOperations {
  return {
    list: (query = {}, options) => request(list, query, options),
    all: (query = {}, options) => eachRecord((page) => request(list, page, options), query),
    request: (input, options) => request(requestSenderId, input, options),
  };
}

const filter = z.string('must be text').trim().min(1, 'must not be empty').optional();
const listInput = z.object({ name: filter, status: filter, ...pageQuery });

const list: ProviderOperation<z.output<typeof listInput>, Page<SenderId>> = {
  name: 'senderIds.list',
  input: listInput,
  request: ({ name, status, ...page }) => ({
    method: 'GET',
    path: '/api/sender-id',
    query: { ...omitUndefined({ name, status }), ...pageParameters(page) },
  }),
  expect: (asked) => ({ answer: page(senderIdRecord, asked) }),
};

const senderIdFields = {
  sender_id: text,
  status: optionalText,
  country: optionalText,
  createdAt: optionalInstant,
  company: optionalText,
  usecase: optionalText,
};

const senderIdRecord = record(senderIdFields, ({ sender_id, status, country, createdAt, company, usecase }) =>
  omitUndefined({
    senderId: sender_id,
    status: status?.toLowerCase() ?? 'unknown',
    country,
    createdAt,
    company,
    useCase: usecase,
  }),
);

const requestInput = z.object({ senderId, useCase: nonEmptyText, company: nonEmptyText });

const requestSenderId: ProviderOperation<z.output<typeof requestInput>, SenderIdRequested> = {
  name: 'senderIds.request',
  input: requestInput,
  request: ({ senderId, useCase, company }) => ({
    method: 'POST',
    path: '/api/sender-id/request',
    json: { sender_id: senderId, use_case: useCase, company },
  }),
  expect: () => ({
    answer: record({ code: okCode, message: optionalText }, ({ message }) => omitUndefined({ message })),
  }),
};
