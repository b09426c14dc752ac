import { z } from 'zod';
import { okCode, omitUndefined, optionalInstant, optionalText, record, text } from '../response/fields.ts';
import { nonEmptyText, senderId } from '../request/input-fields.ts';
import type { Outcome } from '../outcome.ts';
import type { ProviderOperation, RequestOptions, RequestSender } from '../request/request-sender.ts';
import { eachRecord } from '../request/each-record.ts';
import { type Page, type PageQuery, page, pageParameters, pageQuery } from '../response/paging.ts';

/** A sender ID of the account (API §2.4). */
export interface SenderId {
  readonly senderId: string;
  /** In lower case: `active`, `pending`, `declined`, a blocked state; `unknown` where the provider gives none. */
  readonly status: string;
  readonly country?: string;
  readonly createdAt?: Date;
  readonly company?: string;
  readonly useCase?: string;
  readonly raw: unknown;
}

/** Filters and page (API §4.10); whatever is left out is the provider's choice. */
export interface SenderIdQuery extends PageQuery {
  readonly name?: string;
  readonly status?: string;
}

/** A sender ID to be approved by the provider's administrators (API §4.11). */
export interface SenderIdRequest {
  /** 3 to 11 letters and digits, or a number. */
  readonly senderId: string;
  /** A sample of what will be sent under it. */
  readonly useCase: string;
  /** The company's name. */
  readonly company: string;
}

/** The provider took the request. Whether the sender ID is approved shows in the list, days later. */
export interface SenderIdRequested {
  readonly message?: string;
  readonly raw: unknown;
}

export interface SenderIdOperations {
  /** One page of the account's sender IDs. */
  list(query?: SenderIdQuery, options?: RequestOptions): Promise<Outcome<Page<SenderId>>>;
  /** All of them, page after page; throws a `ProviderFailure` where a page is not accepted. */
  all(query?: SenderIdQuery, options?: RequestOptions): AsyncGenerator<SenderId, void, undefined>;
  request(request: SenderIdRequest, options?: RequestOptions): Promise<Outcome<SenderIdRequested>>;
}

export function createSenderIdOperations(call: RequestSender): SenderIdOperations {
  return {
    list: (query = {}, options) => call(list, query, options),
    all: (query = {}, options) => eachRecord((asked) => call(list, asked, options), query),
    request: (input, options) => call(request, input, options),
  };
}

const filter = z.string('must be text').trim().min(1, 'must not be empty').optional();
const listInput = z.object({ name: filter, status: filter, ...pageQuery });

const list: ProviderOperation<z.output<typeof listInput>, Page<SenderId>> = {
  name: 'senderIds.list',
  input: listInput,
  request: ({ name, status, ...asked }) => ({
    method: 'GET',
    path: '/api/sender-id',
    query: { ...(name && { name }), ...(status && { status }), ...pageParameters(asked) },
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

const request: ProviderOperation<z.output<typeof requestInput>, SenderIdRequested> = {
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
