import { z } from 'zod';
import type { Context } from '../context.ts';
import type { EnteredPrices } from '../costs/entered-prices.ts';
import type { Replies } from '../replies/replies.ts';
import type { Reports } from '../reports/reports.ts';
import { createSetting } from '../workspaces/workspace-settings.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';

/** What an admin sets up once the provider is connected. */
export interface Setup {
  /** The default sender ID; undefined until one is chosen. */
  senderId: string | undefined;
  hasPrice: boolean;
  /** Undefined where the program takes in no reports, and so no replies. */
  incoming:
    | {
        reports: 'no_address' | 'no_key' | 'none_received' | 'received';
        /** The channel that replies are posted in; undefined until one is chosen. */
        repliesIn: string | undefined;
      }
    | undefined;
}

interface SetupDeps {
  workspaces: Workspaces;
  prices: EnteredPrices;
  reports: Reports;
  replies: Replies;
}

/** What is left to set up in a workspace, until all of it is done or an admin has dismissed it. */
export function createSetup(context: Context, { workspaces, prices, reports, replies }: SetupDeps) {
  const dismissal = createSetting(context, {
    key: 'setup',
    subject: 'setup checklist',
    schema: z.object({ isDismissed: z.boolean() }),
    initial: { isDismissed: false },
  });

  return {
    /** Returns undefined where nothing is left, or it was dismissed. */
    async left(workspaceId: string): Promise<Setup | undefined> {
      const [{ isDismissed }, { senderId }, { length }, { token, hasKey, lastReceived }, posted] =
        await Promise.all([
          dismissal.read(workspaceId),
          workspaces.defaults(workspaceId),
          prices.list(workspaceId),
          reports.settings(workspaceId),
          replies.settings.read(workspaceId),
        ]);
      const hasPrice = length > 0;
      const received = lastReceived === undefined ? 'none_received' : 'received';
      const state = token === undefined ? 'no_address' : hasKey ? received : 'no_key';
      const repliesIn = posted?.channelId;
      const isIncomingDone = !reports.isOn || (state === 'received' && repliesIn !== undefined);
      return isDismissed || (senderId !== undefined && hasPrice && isIncomingDone)
        ? undefined
        : { senderId, hasPrice, incoming: reports.isOn ? { reports: state, repliesIn } : undefined };
    },

    async dismiss(workspaceId: string): Promise<void> {
      await dismissal.save(workspaceId, { isDismissed: true });
    },
  };
}
