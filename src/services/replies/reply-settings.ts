import type { Keyv } from 'keyv';
import { z } from 'zod';
import { checkText } from '../../domain/messages/message-checks.ts';
import { countPages } from '../../domain/messages/pages.ts';
import type { ReplyRepository } from '../../store/replies/replies.ts';
import type { AuditService } from '../audit/audit-service.ts';

/** Where a workspace’s messages that come in are posted, and whether a stop is confirmed. */
const replySettingsSchema = z.object({
  /** A Slack channel id. */
  channelId: z.string(),
  /** The admin who set it. */
  setBy: z.string(),
  /** What confirms a stop. Undefined: nothing does. */
  confirmation: z.string().optional(),
});
export type ReplySettings = z.infer<typeof replySettingsSchema>;

/** The settings as typed. */
export interface ReplySettingsForm {
  channelId: string | undefined;
  confirms: boolean;
  confirmation: string;
}

export type ReplySettingsFaults = Partial<Record<'channel' | 'confirmation', string>>;

/** What the form begins with. */
export const usualConfirmation =
  'You will get no more messages from us. To get them again, reply START to this number.';

/** Reads the form of replies that are on. Each fault is a sentence to show beside its field. */
export function readReplySettings(
  { channelId, confirms, confirmation }: ReplySettingsForm,
  unicode: boolean,
): { ok: true; settings: Omit<ReplySettings, 'setBy'> } | { ok: false; faults: ReplySettingsFaults } {
  const problem = confirms ? faultOfConfirmation(confirmation, unicode) : undefined;
  if (channelId === undefined || problem !== undefined) {
    const faults = {
      ...(channelId === undefined ? { channel: 'Choose a channel.' } : {}),
      ...(problem === undefined ? {} : { confirmation: problem }),
    };
    return { ok: false, faults };
  }
  return { ok: true, settings: { channelId, ...(confirms ? { confirmation } : {}) } };
}

function faultOfConfirmation(text: string, unicode: boolean): string | undefined {
  return (
    checkText(text, unicode) ??
    (countPages(text).pages > 1 ? 'Make it shorter: it may have one page.' : undefined)
  );
}

export interface ReplySettingsStore {
  read(workspaceId: string): Promise<ReplySettings | undefined>;
  /** Also has posted in the channel what Slack took nowhere, and what waits for another channel. */
  save(workspaceId: string, settings: ReplySettings): Promise<void>;
  remove(workspaceId: string, userId: string): Promise<void>;
}

export interface ReplySettingsOptions {
  keyv: (workspaceId: string, area: string) => Keyv;
  record: AuditService['record'];
  store: Pick<ReplyRepository, 'repost'>;
  /** Has notices delivered soon. */
  wakeNotices: () => Promise<void>;
}

export function createReplySettings({
  keyv,
  record,
  store,
  wakeNotices,
}: ReplySettingsOptions): ReplySettingsStore {
  const values = (workspaceId: string) => keyv(workspaceId, 'settings');
  const recordChange = (
    workspaceId: string,
    userId: string,
    details: { channelId: string | null; confirmsStops: boolean },
  ) =>
    record({ workspaceId, userId, action: 'settings.change', subject: 'replies', outcome: 'done', details });

  return {
    async read(workspaceId) {
      return replySettingsSchema.optional().parse(await values(workspaceId).get('replies'));
    },

    async save(workspaceId, settings) {
      const { channelId, setBy, confirmation } = settings;
      await values(workspaceId).set('replies', settings);
      await recordChange(workspaceId, setBy, { channelId, confirmsStops: confirmation !== undefined });
      await store.repost(workspaceId, { channelId, userId: setBy });
      await wakeNotices();
    },

    async remove(workspaceId, userId) {
      await values(workspaceId).delete('replies');
      await recordChange(workspaceId, userId, { channelId: null, confirmsStops: false });
    },
  };
}
