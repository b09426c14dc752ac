import { withTimeout } from '../../../../lib/timeout.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { errorView, UserError } from '../../../middleware/errors.ts';
import { pushModal, replaceModal } from '../../../middleware/open-modal.ts';
import type { ActionRequest } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { createRecipientImport } from '../import/import.ts';
import type { Previews } from '../preview/preview.ts';
import { previewActions, previewMetadata } from '../preview/preview-view.ts';
import { readStartForm } from '../preview/start-inputs.ts';
import { createCampaignForm } from './campaign-form.ts';
import type { FormCache } from './form-cache.ts';
import {
  campaignFormErrors,
  campaignFormView,
  formActions,
  formCallback,
  formMetadata,
  importingRecipientsView,
  readCampaignForm,
} from './form-view.ts';

/** In milliseconds: a reading that takes no longer shows its preview at once, and with what was filled in there. */
const patience = 1_500;

/** The form of a campaign, up to its preview. */
export function registerCampaignForm(
  router: Router,
  context: AppContext,
  { forms, previews }: { forms: FormCache; previews: Previews },
): void {
  const { phonebooks } = context.services;
  const openForm = createCampaignForm(context);
  const { begin, viewOf } = createRecipientImport(context, { forms, previews });

  router.action(openActions.campaignForm, async (call) => {
    const { user, requestId, value } = call;
    const phonebookId = value === '' ? undefined : value;
    await pushModal(call)(await openForm(user, { requestId, phonebookId }));
  });

  for (const actionId of Object.values(formActions)) {
    router.action(actionId, async ({ user, view }) => {
      if (view !== undefined) {
        const metadata = formMetadata.parse(view.metadata);
        const form = readCampaignForm(view.rememberedValues());
        if (form.source !== 'file' && form.file !== undefined) {
          // Slack's field for a file comes back empty: the form says that it is at hand.
          forms.keep(user, metadata.id, { form, ...forms.get(user, metadata.id), dropped: form.file });
          metadata.earlier = form.file.name;
        }
        const named = await phonebooks.list(user.workspaceId);
        await view.replace(campaignFormView(form, metadata, named));
      }
    });
  }

  router.submission(formCallback, async ({ user, values, metadata, beforeAckDeadline }) => {
    const { id, origin, earlier } = formMetadata.parse(metadata);
    const typed = readCampaignForm(values);
    const kept = earlier === undefined ? undefined : forms.get(user, id);
    const form = { ...typed, file: typed.file ?? kept?.dropped ?? kept?.form.file };
    const { reading, follow } = begin(user, id, form);
    const early = await beforeAckDeadline(reading);
    if (early?.kind === 'faults') {
      return { errors: campaignFormErrors(early.faults, form) };
    }
    return early === undefined
      ? {
          view: importingRecipientsView(0),
          background: async (show) => {
            await follow(show, origin);
            return undefined;
          },
        }
      : { view: viewOf(user, id, early, origin) };
  });

  /** Of a preview whose form is forgotten, what is left can be started as it is. */
  async function forgotten({ user, view, push }: ActionRequest): Promise<void> {
    const gone = 'Switchboard was restarted meanwhile, and the form is gone. Nothing was sent.';
    if (view?.metadata === undefined) {
      throw new UserError(mrkdwn`${gone} Begin again.`);
    }
    const metadata = previewMetadata.parse(view.metadata);
    await view.replace(await previews.again(user, metadata, readStartForm(view.values, metadata.origin)));
    await push(errorView(mrkdwn`${gone} Start what the preview shows, or begin again.`));
  }

  router.action(previewActions.column, async (call) => {
    const { user, value, view } = call;
    const { id, origin } = previewMetadata.parse(view?.metadata);
    const kept = forms.get(user, id);
    if (view === undefined || kept === undefined) {
      return forgotten(call);
    }
    await view.replace(importingRecipientsView(0));
    const { reading, follow } = begin(user, id, kept.form, Number(value));
    const early = await withTimeout(reading, patience, () => undefined);
    if (early?.kind === 'ready') {
      const form = readStartForm(view.values, origin);
      await view.replace(previews.show(user, early.preview, origin, form));
      return;
    }
    await follow(view.replace, origin);
  });

  router.action(previewActions.edit, async (call) => {
    const { user, value: id, view } = call;
    const kept = forms.get(user, id);
    if (kept === undefined) {
      return forgotten(call);
    }
    const origin = view?.metadata === undefined ? undefined : previewMetadata.parse(view.metadata).origin;
    const { file } = kept.form;
    forms.keep(user, id, { ...kept, dropped: undefined });
    const metadata = {
      id,
      ...(origin === undefined ? {} : { origin }),
      ...(file === undefined ? {} : { earlier: file.name }),
    };
    const named = await phonebooks.list(user.workspaceId);
    await replaceModal(call)(campaignFormView(kept.form, metadata, named));
  });
}
