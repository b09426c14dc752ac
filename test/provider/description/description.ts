import { esims } from './esims.ts';
import { insight } from './insight.ts';
import { messages } from './messages.ts';
import { phonebooks } from './phonebooks.ts';
import { senderIds } from './sender-ids.ts';
import { tokens } from './tokens.ts';
import type { Operation } from './types.ts';

/** The operations of the provider's HTTP API (§4). */
export const operations: readonly Operation[] = [
  ...messages,
  ...tokens,
  ...insight,
  ...senderIds,
  ...phonebooks,
  ...esims,
];

/** Limits beside the fields of single operations (§8). */
export const limits = {
  /** Characters per page of an SMS; one special character shortens every page. */
  page: { characters: 160, withSpecialCharacters: 70 },
  /** Default number of records per page. */
  pageSize: 15,
  /** Hours (West Africa Time) in which `generic` does not reach one Nigerian operator. */
  quietHours: { from: '20:00', to: '08:00' },
} as const;
