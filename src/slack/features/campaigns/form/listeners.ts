import { toPlainText } from '../../../../domain/messages/plain-text.ts';
import { withTimeout } from '../../../../lib/time/timeout.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { errorView, UserError } from '../../../middleware/errors.ts';
import { idempotencyKey } from '../../../middleware/idempotency-key.ts';
import type { ActionRequest } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import type { Navigation } from '../../../navigation/navigation.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { campaignUser } from '../actions.ts';
import { createRecipientImports, type RecipientImports } from '../import.ts';
import type { Previews } from '../preview/preview.ts';
import { previewActions, previewMetadata } from '../preview/preview-view.ts';
import { readStartForm } from '../preview/start-form.ts';
import {
  type CampaignFormInput,
  campaignFormErrors,
  campaignFormView,
  formActions,
  formCallback,
  formMetadata,
  importingRecipientsView,
  readCampaignForm,
  replaceAction,
} from './form-view.ts';
import type { FormerForms } from './former-forms.ts';
import type { KeptCampaignForm, KeptCampaignForms } from './kept-campaign-forms.ts';

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

/** In milliseconds: an import that takes no longer shows its preview at once, with what was filled in there. */
const maxWait = 1_500;

/** From a preview back to its form: another column for the numbers, *Replace with plain text*, and *Edit*. */
function registerFormEdits(
  router: Router,
  { services: { campaigns, phonebooks, unicode, optOutAddress }, timers }: AppContext,
  {
    forms,
    previews,
    formerForms,
    recipientImports,
  }: {
    forms: KeptCampaignForms;
    previews: Previews;
    formerForms: FormerForms;
    recipientImports: RecipientImports;
  },
): void {
  async function importAgain(
    call: ActionRequest,
    id: string,
    { form, numberColumn }: Pick<KeptCampaignForm, 'form' | 'numberColumn'>,
  ): Promise<void> {
    const { user, view } = call;
    const origin = originOf(call);
    const replace = await call.show(importingRecipientsView(0));
    const { result, follow } = recipientImports.begin(user, id, form, numberColumn);
    const early = await withTimeout(result, maxWait, () => undefined, timers);
    if (early?.kind === 'ready' && view?.values.when !== undefined) {
      const start = readStartForm(view.values, origin);
      await replace(await previews.show(user, early.preview, origin, start));
      return;
    }
    await follow(replace, origin);
  }

  router.action(previewActions.column, 'campaign', async (call) => {
    const { user, value, view } = call;
    const { id } = previewMetadata.parse(view?.metadata);
    const kept = await forms.find(user, id);
    if (kept === undefined) {
      return showFormLost(call, previews);
    }
    await importAgain(call, id, { form: kept.form, numberColumn: Number(value) });
  });

  router.action(previewActions.replace, 'campaign', async (call) => {
    const { user, value: id } = call;
    const kept = await forms.find(user, id);
    if (kept === undefined) {
      return showFormLost(call, previews);
    }
    const { form, numberColumn } = kept;
    const plain = { ...form, text: toPlainText(form.text), plainCells: true };
    await importAgain(call, id, { form: plain, numberColumn });
  });

  router.action(previewActions.edit, 'campaign', async (call) => {
    const { user, value: id, requestId, view } = call;
    const origin = originOf(call);
    const start = view?.values.when === undefined ? undefined : readStartForm(view.values, origin);
    const kept = await forms.find(user, id);
    // The draft that was read is gone once another one has taken its place; after a failed import it is still there.
    const isReplaced =
      kept?.form.former?.which === 'all' && (await campaigns.find(campaignUser(user), id)) !== undefined;
    if (kept === undefined || isReplaced) {
      await call.show(await formerForms.ofDraft(user, { id, requestId, origin, start }));
      return;
    }
    await forms.keep(user, id, { ...kept, dropped: undefined });
    if (start !== undefined) {
      await forms.keepStart(user, id, start);
    }
    const { form } = kept;
    const offersPlainCells = form.plainCells === true;
    const metadata = { id, origin, earlier: form.file?.name, offersPlainCells };
    const named = await phonebooks.list(user.workspaceId);
    await call.show(campaignFormView(form, metadata, { phonebooks: named, unicode, optOutAddress }));
  });
}

/** The channel that the form was opened from. */
function originOf({ view }: ActionRequest): string | undefined {
  const metadata = previewMetadata.safeParse(view?.metadata);
  return metadata.success ? metadata.data.origin : undefined;
}

/** The preview of a form that is no longer kept can still be started as it is. */
async function showFormLost({ user, view, push }: ActionRequest, previews: Previews): Promise<void> {
  const gone = 'This form is no longer kept. Nothing was sent.';
  const metadata = previewMetadata.safeParse(view?.metadata);
  if (view === undefined || !metadata.success) {
    throw new UserError(mrkdwn`${gone} Start over.`);
  }
  const form = readStartForm(view.values, metadata.data.origin);
  await view.replace(await previews.again(user, metadata.data, form));
  await push(errorView(mrkdwn`${gone} Send what the preview shows, or start over.`));
}

/** Makes the form of a new campaign: on the promotional route, from the sender ID that the user chose last. */
export function createCampaignForm({ services }: Pick<AppContext, 'services'>): Navigation['campaignForm'] {
  const { workspaces, phonebooks, unicode, optOutAddress } = services;
  return async ({ workspaceId, userId }, { requestId, origin, phonebookId }) => {
    const [{ senderId }, { campaignSenderId }, named] = await Promise.all([
      workspaces.defaults(workspaceId),
      workspaces.preferences(workspaceId, userId),
      phonebooks.list(workspaceId),
    ]);
    return campaignFormView(
      {
        source: phonebookId === undefined ? 'file' : 'phonebook',
        phonebookId,
        pasted: '',
        route: 'generic',
        senderId: campaignSenderId ?? senderId,
        text: '',
      },
      { id: idempotencyKey(workspaceId, requestId, 'campaign'), origin },
      { phonebooks: named, unicode, optOutAddress },
    );
  };
}
