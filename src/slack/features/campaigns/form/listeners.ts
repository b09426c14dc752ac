import { toPlainText } from '../../../../domain/messages/plain-text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { createRecipientImports } from '../import/import.ts';
import type { Previews } from '../preview/preview.ts';
import { createCampaignForm } from './campaign-form.ts';
import { registerFormEdits } from './edit-listeners.ts';
import {
  type CampaignFormInput,
  campaignFormErrors,
  campaignFormView,
  formCallback,
  formMetadata,
  importingRecipientsView,
  readCampaignForm,
} from './form-view.ts';
import type { FormerForms } from './former-forms.ts';
import type { KeptCampaignForms } from './kept-campaign-forms.ts';
import { formActions, replaceAction } from './message-blocks.ts';

/** The form of a campaign, up to its preview, and back from there. */
export function registerCampaignForm(
  router: Router,
  context: AppContext,
  parts: { forms: KeptCampaignForms; previews: Previews; formerForms: FormerForms },
): void {
  const { phonebooks, unicode, optOutAddress } = context.services;
  const { forms } = parts;
  const campaignForm = createCampaignForm(context);
  const recipientImports = createRecipientImports(context, parts);

  router.action(openActions.campaignForm, 'campaign', async (call) => {
    const { user, requestId, value } = call;
    const phonebookId = value === '' ? undefined : value;
    await call.push(await campaignForm(user, { requestId, phonebookId }));
  });

  for (const actionId of [...Object.values(formActions), replaceAction]) {
    router.action(actionId, 'campaign', async ({ user, view }) => {
      if (view === undefined) {
        return;
      }
      const metadata = formMetadata.parse(view.metadata);
      const form = readCampaignForm(await view.rememberedValues(), metadata);
      if (actionId === replaceAction) {
        form.text = toPlainText(form.text);
        metadata.replaced = (metadata.replaced ?? 0) + 1;
      }
      if (form.source !== 'file' && form.file !== undefined) {
        // Slack empties the file field when it is shown again, so the form names the file that it has.
        const kept = await forms.find(user, metadata.id);
        await forms.keep(user, metadata.id, { form, ...kept, dropped: form.file });
        metadata.earlier = form.file.name;
      }
      const named = await phonebooks.list(user.workspaceId);
      await view.replace(campaignFormView(form, metadata, { phonebooks: named, unicode, optOutAddress }));
    });
  }

  router.submission(formCallback, 'campaign', async ({ user, values, metadata, beforeAckDeadline }) => {
    const read = formMetadata.parse(metadata);
    const { id, origin, earlier } = read;
    const typed = readCampaignForm(values, read);
    const kept = await forms.find(user, id);
    const before = earlier === undefined ? undefined : (kept?.dropped ?? kept?.form.file);
    const form = { ...typed, file: typed.file ?? before };
    const numberColumn = kept && hasSameRows(kept.form, form) ? kept.numberColumn : undefined;
    const { result, follow } = recipientImports.begin(user, id, form, numberColumn);
    const early = await beforeAckDeadline(result);
    if (early?.kind === 'faults' && !early.isReplaceable) {
      return { errors: campaignFormErrors(early.faults, form) };
    }
    if (early !== undefined) {
      return { view: await recipientImports.viewOf(user, id, early, origin) };
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

/** Whether a column that was chosen for one form is the same column for the other. */
function hasSameRows(one: CampaignFormInput, other: CampaignFormInput): boolean {
  return one.source === other.source && one.file?.id === other.file?.id && one.pasted === other.pasted;
}
