import type { DescribedOperationName } from '../../../../src/provider/operations.ts';
import { esims } from './esims.ts';
import { insight } from './insight.ts';
import { messagesAndTokens } from './messages-and-tokens.ts';
import { phonebooks } from './phonebooks.ts';
import { senderIds } from './sender-ids.ts';
import type { ClientFields } from './types.ts';

/** Where each operation of the client has the documented fields. */
export const clientFields: Readonly<Record<DescribedOperationName, ClientFields>> = {
  ...messagesAndTokens,
  ...insight,
  ...senderIds,
  ...phonebooks,
  ...esims,
};
