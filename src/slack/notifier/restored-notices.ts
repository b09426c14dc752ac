import type { Log } from '../../lib/log.ts';
import type { Services } from '../../services/services.ts';
import type { InstallationState } from '../../store/installation/installation.ts';
import type { Notice, Outbox } from '../../store/outbox/outbox.ts';
import { context, section } from '../block-kit/build.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { type Markup, mrkdwn, timeFor } from '../block-kit/text.ts';
import type { Posting } from '../client/posting.ts';
import { createUserNotices } from './user-notices.ts';

const shownFor = 7 * 24 * 60 * 60_000;

const whatItMeans = mrkdwn`What was sent since the back-up was made is not in the history. Campaigns that were under way are paused: look in the provider’s dashboard before you resume one, as some of its recipients may have got the message already. Forms and previews that were open before cannot be sent from.`;

/** For the Home: for some days nobody should wonder why the history has a gap. */
export function restoredRemark(restoredAt: Date | undefined, now: Date): Markup | undefined {
  return restoredAt === undefined || now.getTime() - restoredAt.getTime() > shownFor
    ? undefined
    : describeRestored(restoredAt);
}

function describeRestored(restoredAt: Date): Markup {
  return mrkdwn`:warning: *Switchboard’s data was restored from a back-up or copied*, as it noticed ${timeFor(restoredAt)}. ${whatItMeans}`;
}

/**
 * The notices that the data was restored or copied: to the admin who connected the provider, and to the authors of
 * campaigns that were paused for it.
 */
export interface RestoredNotices {
  /** Puts them into the outbox, unless they were put there before. */
  add(): Promise<void>;
  /** Delivers one, for the outbox. */
  deliver(notice: Notice): Promise<unknown>;
}

export function createRestoredNotices(context: {
  installation: InstallationState;
  services: Services;
  posting: Posting;
  outbox: Outbox;
  workspaceId: () => Promise<string>;
  log: Log;
}): RestoredNotices {
  const { installation, services } = context;
  return {
    async add() {
      if (!installation.mustNotify()) {
        return;
      }
      const workspaceId = await context.workspaceId();
      const connection = await services.workspaces.connection(workspaceId);
      const authors = (await services.campaigns.listHeld(workspaceId)).map(({ createdBy }) => createdBy);
      const users = connection === undefined ? authors : [connection.by, ...authors];
      await installation.notify([...new Set(users)].map((userId) => ({ workspaceId, userId })));
    },
    deliver: createUserNotices({
      ...context,
      async contentOf({ workspaceId }) {
        const { restoredAt } = installation;
        if (restoredAt === undefined) {
          throw new Error('it is not known when the data was restored');
        }
        const paused = await services.campaigns.listHeld(workspaceId);
        return noticeOf(restoredAt, paused.length);
      },
    }),
  };
}

function noticeOf(restoredAt: Date, paused: number): SlackMessage {
  return message(mrkdwn`Switchboard’s data was restored from a back-up or copied.`, [
    section(describeRestored(restoredAt)),
    context(
      mrkdwn`Campaigns paused: ${paused}. If nobody restored it or moved Switchboard on purpose, ask whoever runs it: a second copy may be at work.`,
    ),
  ]);
}
