import { hasOptOutLink, withOptOutToken } from '../../../domain/messages/opt-out-link.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { routeSchema } from '../../../domain/messages/routes.ts';
import type { ProviderAccount } from '../../../provider/client.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type { Campaign, ClaimedChunk } from '../../../store/campaigns/campaigns.ts';
import { failedMidway } from '../../../store/operations/operation.ts';
import { sendMessage } from '../../operations/send-message.ts';
import { classifySendResult, type SendClassification } from './classify-send-result.ts';

/** Sends one chunk as one request. Never rejects. */
export type SendChunk = (account: ProviderAccount, chunk: ClaimedChunk) => Promise<SendClassification>;

interface SendChunkContext {
  campaigns: Pick<CampaignRepository, 'optOutTokens'>;
  report: (error: unknown) => void;
}

export function createSendChunk(campaign: Campaign, context: SendChunkContext): SendChunk {
  const route = routeSchema.parse(campaign.route);
  const sharedText = campaign.text ?? '';
  const sharedUnicode = countPages(sharedText).needsUnicode;
  const personalText = createPersonalText(campaign, context.campaigns);
  const { report } = context;
  return async (account, chunk) => {
    const { digits, text } = chunk;
    let own: string | undefined;
    try {
      own = text !== undefined && hasOptOutLink(text) ? await personalText({ ...chunk, text }) : text;
    } catch (error) {
      report(error);
      // Nothing has left.
      return { ending: { state: 'waiting' }, effect: 'slow_down' };
    }
    try {
      const outcome = await sendMessage(account, {
        to: digits,
        route,
        senderId: campaign.senderId,
        text: own ?? sharedText,
        unicode: own === undefined ? sharedUnicode : countPages(own).needsUnicode,
      });
      return classifySendResult(outcome);
    } catch (error) {
      report(error);
      return { ending: { state: 'unconfirmed', error: failedMidway }, effect: 'unclear' };
    }
  };
}

/** Returns what puts the recipient's own opt-out link into their text. What makes the links is read once. */
function createPersonalText(
  { workspaceId, id }: Campaign,
  { optOutTokens }: SendChunkContext['campaigns'],
): (chunk: ClaimedChunk & { text: string }) => Promise<string> {
  let reading: ReturnType<typeof optOutTokens> | undefined;
  return async ({ number, digits, text }) => {
    reading ??= optOutTokens(workspaceId, id);
    const makeToken = await reading.catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    const [recipient, ...others] = digits;
    if (makeToken === undefined || recipient === undefined || others.length > 0) {
      throw new Error('An opt-out link needs a campaign, and one recipient');
    }
    return withOptOutToken(text, makeToken({ chunk: number, number: `+${recipient}` }));
  };
}
