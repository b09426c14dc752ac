import type { Log } from '../log.ts';
import type { Services } from '../services/services.ts';
import type { InstallationState } from '../store/installation.ts';
import { context, section } from './blocks/build.ts';
import { type Message, message } from './blocks/message.ts';
import { type Markup, mrkdwn, timeFor } from './blocks/text.ts';
import { isRefusal } from './posting.ts';
import type { Telling } from './telling.ts';

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
 * Returns what tells people that the data was restored or copied: the admin who connected the provider, and the authors
 * of campaigns that were paused for it. To be called again until all of them were told.
 */
export function createRestoredNotice(tools: {
  installation: InstallationState;
  services: Services;
  telling: Pick<Telling, 'message'>;
  workspaceId: () => Promise<string>;
  log: Log;
}): () => Promise<void> {
  const { installation, services, telling, log } = tools;
  const told = new Set<string>();

  async function tell(personId: string, content: Message): Promise<void> {
    if (told.has(personId)) return;
    try {
      await telling.message(personId, content);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      log.warn({ err: error, user: personId }, 'a user cannot be told of restored data');
    }
    told.add(personId);
  }

  return async () => {
    const { restoredAt } = installation;
    if (restoredAt === undefined || !installation.mustNotify()) return;
    const workspaceId = await tools.workspaceId();
    const paused = await services.campaigns.held(workspaceId);
    const content = noticeOf(restoredAt, paused.length);
    const connection = await services.workspaces.connection(workspaceId);
    if (connection !== undefined) await tell(connection.by, content);
    for (const { author } of paused) await tell(author, content);
    await installation.notified();
  };
}

function noticeOf(restoredAt: Date, paused: number): Message {
  return message(mrkdwn`Switchboard’s data was restored from a back-up or copied.`, [
    section(describeRestored(restoredAt)),
    context(
      mrkdwn`Campaigns paused: ${paused}. If nobody restored it or moved Switchboard on purpose, ask whoever runs it: a second copy may be at work.`,
    ),
  ]);
}
