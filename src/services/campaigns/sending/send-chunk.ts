import { countPages } from '../../../domain/messages/pages.ts';
import { routeSchema } from '../../../domain/messages/routes.ts';
import type { ProviderAccount } from '../../../provider/client.ts';
import type { Campaign, ClaimedChunk } from '../../../store/campaigns/campaigns.ts';
import { failedMidway } from '../../../store/operations/operation-error.ts';
import { sendMessage } from '../../operations/send-message.ts';
import { classifySendResult, type SendClassification } from './classify-send-result.ts';

/** Sends one chunk as one request. Never rejects. */
export type SendChunk = (account: ProviderAccount, chunk: ClaimedChunk) => Promise<SendClassification>;

export function createSendChunk(campaign: Campaign, report: (error: unknown) => void): SendChunk {
  const route = routeSchema.parse(campaign.route);
  const sharedText = campaign.text ?? '';
  const sharedUnicode = countPages(sharedText).needsUnicode;
  return async (account, { digits, text }) => {
    try {
      const outcome = await sendMessage(account, {
        to: digits,
        route,
        senderId: campaign.senderId,
        text: text ?? sharedText,
        unicode: text === undefined ? sharedUnicode : countPages(text).needsUnicode,
      });
      return classifySendResult(outcome);
    } catch (error) {
      report(error);
      return { ending: { state: 'unconfirmed', error: failedMidway }, effect: 'unclear' };
    }
  };
}
