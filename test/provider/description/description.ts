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
