import type { AppContext } from '../../../middleware/app-context.ts';
import { pushModal } from '../../../middleware/open-modal.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { createRecipientImports } from '../import/import.ts';
import type { Previews } from '../preview/preview.ts';
import { createCampaignForm } from './campaign-form.ts';
import { registerFormEdits } from './edit-listeners.ts';
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
import type { FormerForms } from './former-forms.ts';

/** The form of a campaign, up to its preview, and back from there. */
export function registerCampaignForm(
  router: Router,
  context: AppContext,
  parts: { forms: FormCache; previews: Previews; formerForms: FormerForms },
): void {
  const { phonebooks } = context.services;
  const { forms } = parts;
  const campaignForm = createCampaignForm(context);
  const recipientImports = createRecipientImports(context, parts);

  router.action(openActions.campaignForm, async (call) => {
    const { user, requestId, value } = call;
    const phonebookId = value === '' ? undefined : value;
    await pushModal(call)(await campaignForm(user, { requestId, phonebookId }));
  });

  for (const actionId of Object.values(formActions)) {
    router.action(actionId, async ({ user, view }) => {
      if (view === undefined) {
        return;
      }
      const metadata = formMetadata.parse(view.metadata);
      const form = readCampaignForm(view.rememberedValues(), metadata);
      if (form.source !== 'file' && form.file !== undefined) {
        // Slack empties the file field when it is shown again, so the form names the file that it has.
        forms.set(user, metadata.id, { form, ...forms.get(user, metadata.id), dropped: form.file });
        metadata.earlier = form.file.name;
      }
      await view.replace(campaignFormView(form, metadata, await phonebooks.list(user.workspaceId)));
    });
  }

  router.submission(formCallback, async ({ user, values, metadata, beforeAckDeadline }) => {
    const read = formMetadata.parse(metadata);
    const { id, origin, earlier } = read;
    const typed = readCampaignForm(values, read);
    const cached = earlier === undefined ? undefined : forms.get(user, id);
    const form = { ...typed, file: typed.file ?? cached?.dropped ?? cached?.form.file };
    const { result, follow } = recipientImports.begin(user, id, form);
    const early = await beforeAckDeadline(result);
    if (early?.kind === 'faults') {
      return { errors: campaignFormErrors(early.faults, form) };
    }
    if (early !== undefined) {
      return { view: recipientImports.viewOf(user, id, early, origin) };
    }
    return {
      view: importingRecipientsView(0),
      background: async (show) => {
        await follow(show, origin);
        return undefined;
      },
    };
  });

  registerFormEdits(router, context, { ...parts, recipientImports });
}
