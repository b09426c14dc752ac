import { z } from 'zod';
import type { Caller, CallOptions, Operation } from './call.ts';
import { optionalInstant, optionalText, record, text } from './fields.ts';
import type { Outcome } from './outcome.ts';
import { type Page, type PageQuery, page, pageParameters, pageQuery } from './paging.ts';

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

export interface SenderIds {
  list(query?: SenderIdQuery, options?: CallOptions): Promise<Outcome<Page<SenderId>>>;
}

export function createSenderIds(call: Caller): SenderIds {
  return { list: (query = {}, options) => call(list, query, options) };
}

const filter = z.string('must be text').trim().min(1, 'must not be empty').optional();
const listInput = z.object({ name: filter, status: filter, ...pageQuery });

const list: Operation<z.output<typeof listInput>, Page<SenderId>> = {
  name: 'senderIds.list',
  input: listInput,
  request: ({ name, status, ...asked }) => ({
    method: 'GET',
    path: '/api/sender-id',
    query: { ...(name && { name }), ...(status && { status }), ...pageParameters(asked) },
  }),
  expect: (asked) => ({ answer: page(senderId, asked) }),
};

const senderIdFields = {
  sender_id: text,
  status: optionalText,
  country: optionalText,
  createdAt: optionalInstant,
  company: optionalText,
  usecase: optionalText,
};

const senderId = record(senderIdFields, ({ sender_id, status, country, createdAt, company, usecase }) => ({
  senderId: sender_id,
  status: status?.toLowerCase() ?? 'unknown',
  ...(country !== undefined && { country }),
  ...(createdAt !== undefined && { createdAt }),
  ...(company !== undefined && { company }),
  ...(usecase !== undefined && { useCase: usecase }),
}));
