import type { ViewOutput } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { clampText, limits } from '../../block-kit/limits.ts';
import { type Markup, mrkdwn, stripMarkup } from '../../block-kit/text.ts';
import { readFormValues } from '../../block-kit/view-state.ts';
import { errorView, isFinal } from '../errors.ts';
import { firstInput, modalWithError } from '../forms/refill-view.ts';
import type { SubmissionRequest, SubmissionResponse } from '../requests.ts';
import { startAckDeadline } from './ack-deadline.ts';
import { type RequestContext, readMetadata, unlessClosed } from './request-context.ts';

/**
 * A submitted modal: answered at once with errors beside its fields or with the next view, and then worked on. Where
 * that fails, nothing that was filled in is lost: before the answer an error beside a field leaves the form as it is,
 * after it the form comes back, or a message brings it to who has closed it. What is refused for good comes back as
 * words alone.
 */
export function onSubmission(
  {
    dispatch,
    authorize,
    trackRequest,
    latestActionGuard,
    requestIdOf,
    reportError,
    closedForms,
  }: RequestContext,
  callbackId: string,
  handle: (call: SubmissionRequest) => Promise<SubmissionResponse>,
): void {
  dispatch.submission(callbackId, ({ view, body, context, ack, client }) =>
    trackRequest('submission', async () => {
      const beforeAckDeadline = startAckDeadline();
      latestActionGuard(view.id);
      const show = (content: ModalView) =>
        unlessClosed(client.views.update({ view_id: view.id, view: content }));
      let answer: SubmissionResponse | undefined;
      try {
        answer = await handle({
          user: await authorize(context.teamId, body.user.id),
          requestId: requestIdOf(view.id),
          values: readFormValues(view.state.values),
          metadata: readMetadata(view.private_metadata),
          beforeAckDeadline,
        });
        if ('errors' in answer) {
          await ack(errorsBeside(answer.errors));
          return;
        }
        await ack({ response_action: 'update', view: answer.view });
        const last = await answer.background?.(show);
        if (last !== undefined) {
          await show(last);
        }
      } catch (error) {
        await reportError(error, async (text) => {
          const field = firstInput(view);
          if (answer === undefined) {
            await (field === undefined
              ? ack({
                  response_action: 'update',
                  view: isFinal(error) ? errorView(text) : modalWithError(view, { text }),
                })
              : ack(errorsBeside({ [field]: stripMarkup(text) })));
            return;
          }
          if (isFinal(error)) {
            if (!(await show(errorView(text)))) {
              await closedForms.notify(body.user.id, view, text);
            }
            return;
          }
          const secrets = 'view' in answer ? answer.secrets : undefined;
          const form = modalWithError(view, { text: withoutFiles(text, view), secrets });
          if (!(await show(form))) {
            await closedForms.offerAgain(body.user.id, form, text);
          }
        });
      }
    }),
  );
}

/** A file is the one thing that Slack lets nobody put back into its field. */
function withoutFiles(text: Markup, { state }: Pick<ViewOutput, 'state'>): Markup {
  const elements = Object.values(state.values).flatMap((block) => Object.values(block));
  const hadFile = elements.some(({ files = [] }) => files.length > 0);
  return hadFile ? mrkdwn`${text}\n_The field for the file is empty again._` : text;
}

function errorsBeside(errors: Record<string, string>) {
  const clamped = Object.entries(errors).map(([field, words]) => [field, clampText(words, limits.errorText)]);
  return { response_action: 'errors' as const, errors: Object.fromEntries(clamped) };
}
