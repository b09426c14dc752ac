import { context as contextBlock, section } from '../block-kit/build.ts';
import { message } from '../block-kit/message.ts';
import { countCampaigns } from '../block-kit/plural.ts';
import { type Markup, mrkdwn, timeFor } from '../block-kit/text.ts';
import type { SlackContext } from '../client/slack-context.ts';
import { createUserNotices } from './notices.ts';

const shownForMs = 7 * 24 * 60 * 60_000;

const consequences = mrkdwn`Messages sent after the backup are not in the history. Campaigns and scheduled messages that were being sent are paused. Some recipients may have their message already: check the provider’s dashboard before you resume one. Forms and reviews opened earlier can’t be sent.`;

/** Explains a gap in the history; shown in the Home for seven days. */
export function restoredRemark(restoredAt: Date | undefined, now: Date): Markup | undefined {
  return restoredAt === undefined || now.getTime() - restoredAt.getTime() > shownForMs
    ? undefined
    : describeRestored(restoredAt);
}

function describeRestored(restoredAt: Date): Markup {
  return mrkdwn`:warning: *Switchboard’s data was restored from a backup or copied* (noticed ${timeFor(restoredAt)}). ${consequences}`;
}

/**
 * Notices that the data was restored or copied, for the admin who connected the provider and the creators of the
 * campaigns that were paused for it.
 */
export function createRestoredNotices(
  context: SlackContext,
  /** Returns the workspaces in the data. */
  workspaceIds: () => Promise<readonly string[]>,
) {
  const {
    services,
    store: { installation },
  } = context;

  async function recipientsIn(workspaceId: string): Promise<{ workspaceId: string; userId: string }[]> {
    const connection = await services.workspaces.connection(workspaceId);
    const creators = (await services.campaigns.listHeld(workspaceId)).map(({ createdBy }) => createdBy);
    const users = connection === undefined ? creators : [connection.by, ...creators];
    return [...new Set(users)].map((userId) => ({ workspaceId, userId }));
  }

  return {
    /** Adds them to the outbox, once. */
    async add(): Promise<void> {
      if (!installation.mustNotify()) {
        return;
      }
      const recipients: Awaited<ReturnType<typeof recipientsIn>> = [];
      for (const workspaceId of await workspaceIds()) {
        recipients.push(...(await recipientsIn(workspaceId)));
      }
      await installation.notify(recipients);
    },
    /** Delivers one; called for the outbox. */
    deliver: createUserNotices(context, async ({ workspaceId }) => {
      const { restoredAt } = installation;
      if (restoredAt === undefined) {
        throw new Error('it is not known when the data was restored');
      }
      const paused = await services.campaigns.listHeld(workspaceId);
      return message(mrkdwn`Switchboard’s data was restored from a backup or copied.`, [
        section(describeRestored(restoredAt)),
        contextBlock(
          mrkdwn`Paused: ${countCampaigns(paused.length)}. If nobody restored or moved Switchboard on purpose, tell your operator: a second copy may be running.`,
        ),
      ]);
    }),
  };
}
