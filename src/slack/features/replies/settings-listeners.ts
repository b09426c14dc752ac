import type { ModalView } from '@slack/types';
import { readReplySettings, readReplyWords } from '../../../services/replies/reply-settings.ts';
import type { Markup } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import {
  formOfReplySettings,
  type MissingForReplies,
  readReplySettingsForm,
  repliesOffView,
  replySettingsActions,
  replySettingsCallback,
  replySettingsSaved,
  replySettingsView,
  type ShownReplySettings,
} from './settings-view.ts';

/** Where messages that come in are posted, and whether a stop is confirmed. */
export function registerReplySettings(router: Router, { services }: AppContext): void {
  const { replies, reports, unicode } = services;

  async function missingIn(workspaceId: string): Promise<MissingForReplies> {
    const { token, hasKey } = await reports.settings(workspaceId);
    if (token === undefined) {
      return 'address';
    }
    return hasKey ? undefined : 'key';
  }

  async function viewOf(workspaceId: string, form: ShownReplySettings, said?: Markup): Promise<ModalView> {
    const [missing, toPost] = await Promise.all([missingIn(workspaceId), replies.toPost(workspaceId)]);
    return replySettingsView(form, { missing, toPost, said });
  }

  router.action(openActions.replySettings, 'administer', async (call) => {
    const { workspaceId } = call.user;
    const [settings, words] = await Promise.all([
      replies.settings.read(workspaceId),
      replies.settings.words(workspaceId),
    ]);
    const form = formOfReplySettings(settings, words);
    await call.push(replies.areOn ? await viewOf(workspaceId, form) : repliesOffView());
  });

  for (const actionId of Object.values(replySettingsActions)) {
    router.action(actionId, 'administer', async ({ user, view }) => {
      if (view !== undefined) {
        const form = readReplySettingsForm(await view.rememberedValues());
        await view.replace(await viewOf(user.workspaceId, form));
      }
    });
  }

  router.submission(replySettingsCallback, 'administer', async ({ user, values }) => {
    const { workspaceId, userId } = user;
    const form = readReplySettingsForm(values);
    const ownWords = readReplyWords(form.words);
    const read = form.isOn ? readReplySettings(form, unicode) : undefined;
    if (!ownWords.ok || read?.ok === false) {
      const faults = { ...(ownWords.ok ? {} : ownWords.faults), ...(read?.ok === false ? read.faults : {}) };
      return { errors: faults };
    }
    await replies.settings.saveWords(workspaceId, userId, ownWords.words);
    if (read === undefined) {
      await replies.settings.remove(workspaceId, userId);
      return { view: await viewOf(workspaceId, form, replySettingsSaved) };
    }
    await replies.settings.save(workspaceId, { ...read.settings, setBy: userId });
    return { view: await viewOf(workspaceId, form, replySettingsSaved) };
  });
}
