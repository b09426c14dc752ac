import { withTimeout } from '../../../../lib/time/timeout.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { errorView, UserError } from '../../../middleware/errors.ts';
import { replaceModal } from '../../../middleware/open-modal.ts';
import type { ActionRequest } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import type { RecipientImports } from '../import/import.ts';
import type { Previews } from '../preview/preview.ts';
import { previewActions, previewMetadata } from '../preview/preview-view.ts';
import { readStartForm } from '../preview/start-inputs.ts';
import type { FormCache } from './form-cache.ts';
import { campaignFormView, importingRecipientsView } from './form-view.ts';
import type { FormerForms } from './former-forms.ts';

/** In milliseconds: an import that takes no longer shows its preview at once, with what was filled in there. */
const maxWait = 1_500;

/** From a preview back to its form: another column for the numbers, and *Edit*. */
export function registerFormEdits(
  router: Router,
  { services: { phonebooks }, timers }: AppContext,
  {
    forms,
    previews,
    formerForms,
    recipientImports,
  }: {
    forms: FormCache;
    previews: Previews;
    formerForms: FormerForms;
    recipientImports: RecipientImports;
  },
): void {
  router.action(previewActions.column, async (call) => {
    const { user, value, view } = call;
    const { id, origin } = previewMetadata.parse(view?.metadata);
    const cached = forms.get(user, id);
    if (view === undefined || cached === undefined) {
      return showFormLost(call, previews);
    }
    await view.replace(importingRecipientsView(0));
    const { result, follow } = recipientImports.begin(user, id, cached.form, Number(value));
    const early = await withTimeout(result, maxWait, () => undefined, timers);
    if (early?.kind === 'ready') {
      const form = readStartForm(view.values, origin);
      await view.replace(previews.show(user, early.preview, origin, form));
      return;
    }
    await follow(view.replace, origin);
  });

  router.action(previewActions.edit, async (call) => {
    const { user, value: id, view, requestId } = call;
    const cached = forms.get(user, id);
    const origin = view?.metadata === undefined ? undefined : previewMetadata.parse(view.metadata).origin;
    if (cached === undefined || cached.form.former?.which === 'all') {
      await replaceModal(call)(await formerForms.ofDraft(user, { id, requestId, origin }));
      return;
    }
    forms.set(user, id, { ...cached, dropped: undefined });
    const metadata = { id, origin, earlier: cached.form.file?.name };
    const named = await phonebooks.list(user.workspaceId);
    await replaceModal(call)(campaignFormView(cached.form, metadata, named));
  });
}

/** The preview of a form that is no longer cached can still be started as it is. */
async function showFormLost({ user, view, push }: ActionRequest, previews: Previews): Promise<void> {
  const gone = 'Switchboard was restarted meanwhile, and the form is gone. Nothing was sent.';
  if (view?.metadata === undefined) {
    throw new UserError(mrkdwn`${gone} Begin again.`);
  }
  const metadata = previewMetadata.parse(view.metadata);
  await view.replace(await previews.again(user, metadata, readStartForm(view.values, metadata.origin)));
  await push(errorView(mrkdwn`${gone} Start what the preview shows, or begin again.`));
}
