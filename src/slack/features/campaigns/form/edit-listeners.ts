import { toPlainText } from '../../../../domain/messages/plain-text.ts';
import { withTimeout } from '../../../../lib/time/timeout.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { errorView, UserError } from '../../../middleware/errors.ts';
import type { ActionRequest } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import type { RecipientImports } from '../import/import.ts';
import type { Previews } from '../preview/preview.ts';
import { previewActions, previewMetadata } from '../preview/preview-view.ts';
import { readStartForm } from '../preview/start-inputs.ts';
import { campaignUser } from '../status/campaign-user.ts';
import { campaignFormView, importingRecipientsView } from './form-view.ts';
import type { FormerForms } from './former-forms.ts';
import type { KeptCampaignForm, KeptCampaignForms } from './kept-campaign-forms.ts';

/** In milliseconds: an import that takes no longer shows its preview at once, with what was filled in there. */
const maxWait = 1_500;

/** From a preview back to its form: another column for the numbers, *Replace with plain text*, and *Edit*. */
export function registerFormEdits(
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
