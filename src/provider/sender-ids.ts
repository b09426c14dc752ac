import type { CallOptions } from './call.ts';
import type { Outcome } from './outcome.ts';
import type { Page } from './paging.ts';

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
export interface SenderIdQuery {
  readonly name?: string;
  readonly status?: string;
  /** Zero-based. */
  readonly page?: number;
  readonly size?: number;
}

export interface SenderIds {
  list(query?: SenderIdQuery, options?: CallOptions): Promise<Outcome<Page<SenderId>>>;
}
