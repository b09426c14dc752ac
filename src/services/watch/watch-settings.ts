import { z } from 'zod';
import { definedFaults } from '../../domain/messages/message-checks.ts';
import { readMoney, writeMoney } from '../../domain/money/money.ts';
import { decideWatch, dueDigest, type WatchKind, watchKinds } from '../../domain/watch/watch.ts';
import type { WatchPlace } from '../../store/watch/watches.ts';
import type { Context } from '../context.ts';
import { createSetting } from '../workspaces/workspace-settings.ts';

const watchSettingsSchema = z.object({
  /** A Slack channel id. */
  channelId: z.string(),
  /** The admin who chose it. */
  setBy: z.string(),
  /** When the digest is posted, by the clocks of that admin’s time zone. */
  hour: z.int().min(0).max(23),
  zone: z.string(),
  /** When watchers were switched on, in milliseconds since 1970. */
  since: z.number(),
  /** What is not watched. */
  off: z.array(z.enum(watchKinds)),
  /** The balance is low below this amount: a decimal in the account’s currency. */
  below: z.string().optional(),
});
export type WatchSettings = z.infer<typeof watchSettingsSchema>;

/** The settings as typed. */
export interface WatchSettingsForm {
  channelId: string | undefined;
  hour: string;
  kinds: readonly WatchKind[];
  below: string;
}

/** Of an amount, in characters. */
export const maxAmount = 20;
/** What the form begins with. */
export const usualDigestHour = '9';

/** Reads the form of watchers that are on. Each fault is a sentence to show beside its field. */
export function readWatchSettings({
  channelId,
  hour,
  kinds,
  below,
}: WatchSettingsForm):
  | { ok: true; settings: Omit<WatchSettings, 'setBy' | 'zone' | 'since'> }
  | { ok: false; faults: Partial<Record<'channelId' | 'below', string>> } {
  const typed = below.trim().replaceAll(',', '');
  const money = typed.length > maxAmount ? undefined : readMoney(typed);
  const amount = money !== undefined && money.nanos > 0n && money.currency === undefined ? money : undefined;
  const lacksAmount = amount === undefined && (kinds.includes('balance') || typed !== '');
  if (channelId === undefined || lacksAmount) {
    const faults = definedFaults({
      channelId: channelId === undefined ? 'Choose a channel.' : undefined,
      below: lacksAmount ? 'Enter an amount, such as 5,000.' : undefined,
    });
    return { ok: false, faults };
  }
  const off = watchKinds.filter((kind) => !kinds.includes(kind));
  return {
    ok: true,
    settings: { channelId, hour: Number(hour), off, below: amount && writeMoney(amount) },
  };
}

export const watchPlace = ({ setBy, channelId }: WatchSettings): WatchPlace => ({ userId: setBy, channelId });

/** What a workspace has watched, and where it is told. */
export function createWatchSettings(context: Context) {
  const { store, time } = context;
  const { watches } = store;
  const { read, save } = createSetting<WatchSettings | undefined>(context, {
    key: 'watchers',
    subject: 'watchers',
    schema: watchSettingsSchema.optional(),
    initial: undefined,
    shown: (set) => ({ ...set, setBy: undefined, since: undefined }),
  });

  /** Resolves open alerts once watchers are off. Resolves with false if that was already done. */
  async function finishRemoval(workspaceId: string): Promise<boolean> {
    const userId = await watches.removedBy(workspaceId);
    if (userId === undefined) {
      return false;
    }
    await endWatches(context, workspaceId, watchKinds, { userId, channelId: undefined });
    // Delete this row last: it shows that the cleanup is in progress.
    await watches.stop(workspaceId);
    return true;
  }

  return {
    read,

    /**
     * The first digest is the next scheduled one. Checks begin before the settings are stored, and find
     * nothing until then.
     */
    async save(workspaceId: string, changed: Omit<WatchSettings, 'since'>): Promise<void> {
      const before = await read(workspaceId);
      const settings = { ...changed, since: before?.since ?? time.now().getTime() };
      const lastDigest = dueDigest(settings, time.now()) ?? '';
      await watches.begin(workspaceId, lastDigest, { isOn: before !== undefined });
      await save(workspaceId, settings, settings.setBy);
      await endWatches(context, workspaceId, settings.off, watchPlace(settings));
    },

    async remove(workspaceId: string, userId: string): Promise<void> {
      await watches.beginRemoval(workspaceId, userId);
      await save(workspaceId, undefined, userId);
      await finishRemoval(workspaceId);
    },

    finishRemoval,
  };
}

/** Ends open alerts of some kinds, because the workspace no longer watches them. */
export async function endWatches(
  { store: { watches }, time }: Context,
  workspaceId: string,
  kinds: readonly WatchKind[],
  destination: WatchPlace,
): Promise<void> {
  for (const { subject, kind } of await watches.all(workspaceId)) {
    if (kinds.includes(kind)) {
      await watches.change(
        { workspaceId, subject, kind },
        destination,
        (row) => row && decideWatch(row, undefined, time.now()),
      );
    }
  }
}
