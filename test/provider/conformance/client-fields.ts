import type { OperationName } from '../../../src/provider/operations.ts';
import { esims } from './client-fields/esims.ts';
import { insight } from './client-fields/insight.ts';
import type { ClientFields } from './client-fields/language.ts';
import { messagesAndTokens } from './client-fields/messages-and-tokens.ts';
import { phonebooks } from './client-fields/phonebooks.ts';
import { senderIds } from './client-fields/sender-ids.ts';

/** Where the client has the fields of the data, for each of its operations. */
export const clientFields: Readonly<Record<OperationName, ClientFields>> = {
  ...messagesAndTokens,
  ...insight,
  ...senderIds,
  ...phonebooks,
  ...esims,
};
