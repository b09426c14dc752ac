import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { notConnectedError } from '../../../middleware/not-connected.ts';
import { limitedError } from '../../../middleware/require-performed.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { showProgress } from '../../../notifier/progress.ts';
import type { KeptCampaignForms } from '../form/kept-campaign-forms.ts';
import { dndCheckingView, dndSummaryView } from './preflight-views.ts';
import { type Previews, previewGone } from './preview.ts';
import { previewActions, previewMetadata } from './preview-view.ts';
import { readStartForm } from './start-inputs.ts';

/** Progress is shown after this many numbers more. */
const progressStep = 50;

/** *Check Do-Not-Disturb* in a preview: how many of the recipients are on it. */
export function registerDndSummary(
  router: Router,
  { services: { campaigns }, stopping }: AppContext,
  { forms, previews }: { forms: KeptCampaignForms; previews: Previews },
): void {
  router.action(previewActions.checkDnd, 'campaign', async (call) => {
    const { user, value: id, view } = call;
    const { workspaceId, userId } = user;
    const show = await call.push(dndCheckingView(0, undefined));
    let total: number | undefined;
    const progress = showProgress(
      (done) => show(dndCheckingView(done, total)),
      progressStep,
      Number.POSITIVE_INFINITY,
    );
    const checking = campaigns.checkDnd(
      { workspaceId, userId, id },
      {
        signal: stopping,
        progress(done, of) {
          total = of;
          progress.report(done);
        },
      },
    );
    const summary = await checking.finally(progress.settled);
    const preview = await campaigns.preview(workspaceId, id, userId);
    if (summary.kind === 'not_connected') {
      throw notConnectedError('Nothing was checked.');
    }
    if (summary.kind === 'limited') {
      throw limitedError(summary.limit, 'Nothing was checked.');
    }
    if (summary.kind === 'gone' || preview === undefined) {
      throw new UserError(previewGone, { isFinal: true });
    }
    const kept = await forms.find(user, id);
    if (kept !== undefined) {
      await forms.keep(user, id, { ...kept, dnd: summary });
    }
    await show(dndSummaryView(summary, preview));
    if (view !== undefined) {
      const { origin } = previewMetadata.parse(view.metadata);
      await view.replace(await previews.show(user, preview, origin, readStartForm(view.values, origin)));
    }
  });
}
