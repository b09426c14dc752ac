import { esims } from './esims.ts';
import { insight } from './insight.ts';
import { messages } from './messages.ts';
import { phonebooks } from './phonebooks.ts';
import { senderIds } from './sender-ids.ts';
import { tokens } from './tokens.ts';
import type { Operation } from './types.ts';

/** The provider's HTTP API (§4), operation by operation. */
export const operations: readonly Operation[] = [
  ...messages,
  ...tokens,
  ...insight,
  ...senderIds,
  ...phonebooks,
  ...esims,
];

/** What holds beside the fields of any one operation (§8). */
export const limits = {
  /** Characters of a page of SMS; one special character anywhere makes every page the shorter one. */
  page: { characters: 160, withSpecialCharacters: 70 },
  /** Records on a page of a list, where nothing else was asked for. */
  pageSize: 15,
  /** West Africa Time in which `generic` reaches no number of one Nigerian operator. */
  quietHours: { from: '20:00', to: '08:00' },
} as const;
