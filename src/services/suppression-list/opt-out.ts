import { type PhoneNumber, phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import type { Context } from '../context.ts';
import type { SuppressionService } from './suppression-list.ts';

/** What the page of an opt-out link may say: no number, and nothing of the workspace but who the message was from. */
export interface OptOut {
  senderId: string;
  /** Whether the recipient is on the workspace's suppression list. */
  isOptedOut: boolean;
}

/** What a recipient can do with the link in a message. Both resolve with undefined for a link that leads to nobody. */
export interface OptOutService {
  /** Changes nothing: programs that scan links call it too. */
  find(token: string): Promise<OptOut | undefined>;
  /** Puts the recipient on the suppression list. Once is as good as twice. */
  optOut(token: string): Promise<OptOut | undefined>;
}

export function createOptOutService(
  { store: { campaigns } }: Context,
  { suppressionList }: { suppressionList: SuppressionService },
): OptOutService {
  async function isListed(workspaceId: string, number: PhoneNumber): Promise<boolean> {
    return (await suppressionList.filterListed(workspaceId, [number])).length > 0;
  }

  async function find(token: string) {
    const found = await campaigns.findByOptOutToken(token);
    return found && { ...found, number: phoneNumberSchema.parse(found.number) };
  }

  return {
    async find(token) {
      const found = await find(token);
      return (
        found && {
          senderId: found.campaign.senderId,
          isOptedOut: await isListed(found.workspaceId, found.number),
        }
      );
    },

    async optOut(token) {
      const found = await find(token);
      if (found === undefined) {
        return undefined;
      }
      const { workspaceId, number, campaign } = found;
      // A start that comes later, and is older than this, takes nobody off the list.
      if (!(await suppressionList.listAgain(workspaceId, number))) {
        const source = { kind: 'opt_out_link' as const, campaign: campaign.name };
        await suppressionList.add({ workspaceId, numbers: [number], source });
      }
      return { senderId: campaign.senderId, isOptedOut: true };
    },
  };
}
