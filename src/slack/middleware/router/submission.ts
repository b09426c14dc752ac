import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewOutput, ViewSubmitAction } from '@slack/bolt';
import type { Permission } from '../../../domain/access/roles.ts';
import { settledInTime, type Timers } from '../../../lib/time/timers.ts';
import { performingCallback } from '../../block-kit/build.ts';
import { clampText, limits } from '../../block-kit/limits.ts';
import { type Markup, mrkdwn, renderFor, stripMarkup } from '../../block-kit/text.ts';
import { readEntered } from '../../block-kit/view-state.ts';
import { errorView, isFinal } from '../errors.ts';
import {
  firstInput,
  hasBanner,
  modalAsFilledIn,
  modalWithError,
  modalWithFaults,
} from '../forms/refill-view.ts';
import type {
  BeforeAckDeadline,
  FieldErrors,
  ReplaceView,
  SubmissionRequest,
  SubmissionResponse,
} from '../requests.ts';
import type { RequestContext } from './request-context.ts';
import { readMetadata, unlessClosed } from './views.ts';

/**
 * A submitted modal: acknowledged with errors beside its fields or with the next view, and then worked on. If that
 * fails, nothing the user entered is lost: before the acknowledgement, an error beside a field leaves the form as it is;
 * after it, the form is shown again, or offered in a direct message if the user has closed it.
 */
export function onSubmission(
  requestContext: RequestContext,
  callbackId: string,
  needed: Permission,
  handle: (request: SubmissionRequest) => Promise<SubmissionResponse>,
): void {
  const { dispatch, trackRequest } = requestContext;
  dispatch.submission(callbackId, (args) =>
    trackRequest('submission', () => answerSubmission(requestContext, args, needed, handle)),
  );
}

type SubmissionArgs = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;

async function answerSubmission(
  requestContext: RequestContext,
  args: SubmissionArgs,
  needed: Permission,
  handle: (request: SubmissionRequest) => Promise<SubmissionResponse>,
): Promise<void> {
  const { authorize, channelCheck, forcedUpdates, reportError } = requestContext;
  const { body, context, ack } = args;
  const { view, values } = readEntered(args.view);
  const workspaceId = context.teamId ?? '';
  const settled = new AbortController();
  const beforeAckDeadline = startAckDeadline(requestContext.timers, settled.signal);
  requestContext.latestActions.acted(workspaceId, view.id);
  const show: ReplaceView = async (content) => {
    const client = await requestContext.clients.for(workspaceId);
    const noted = channelCheck.withNote(workspaceId, content);
    return unlessClosed(client.views.update({ view_id: view.id, view: noted }));
  };
  // Shows errors beside the fields, replacing earlier ones.
  const refuse = (errors: FieldErrors) => {
    const shown = renderFor('person', besideShown(view, errors));
    return ack(
      hasBanner(view)
        ? {
            response_action: 'update',
            view: channelCheck.withNote(workspaceId, modalWithFaults(view, shown)),
          }
        : fieldErrors(shown),
    );
  };
  let response: SubmissionResponse | undefined;
  try {
    const user = await authorize(context.teamId, body.user.id, needed);
    const archived = await channelCheck.errors(workspaceId, modalAsFilledIn(view), beforeAckDeadline);
    if (archived !== undefined) {
      await refuse(archived);
      return;
    }
    response = await handle({
      user,
      requestId: requestContext.requestIdOf(view.id),
      values,
      metadata: readMetadata(view.private_metadata),
      beforeAckDeadline,
    });
    if ('errors' in response) {
      await refuse(response.errors);
      return;
    }
    await beforeAckDeadline(forcedUpdates.settled(view.id));
    await ack({ response_action: 'update', view: channelCheck.withNote(workspaceId, response.view) });
    const last = await response.background?.(show);
    if (last !== undefined) {
      const asks = 'ifClosed' in last;
      const isShown = await show(asks ? last.view : last).catch((error: unknown) => {
        // The form again, with an error, would ask the user to repeat a request that succeeded. A message tells them.
        if (!performs(response)) {
          throw error;
        }
        requestContext.log.warn({ err: error }, 'an outcome could not be shown in its modal');
        return false;
      });
      if (asks && !isShown) {
        await requestContext.closedForms.offerAgain(user, last.view, last.ifClosed);
      }
    }
  } catch (error) {
    const final = isFinal(error);
    const tell = (text: Markup) =>
      response === undefined
        ? ack(failedResponse(view, text, final))
        : showFailure(requestContext, { ...args, view }, { text, final, response, show });
    await reportError(error, tell, { workspaceId: context.teamId, userId: body.user.id, maySend: true });
  } finally {
    settled.abort(settledInTime);
  }
}

const performs = (response: SubmissionResponse | undefined): boolean =>
  response !== undefined && 'view' in response && response.view.callback_id === performingCallback;

/** The acknowledgement of a submission that failed: beside its first field, or in the view if it has no field. */
function failedResponse(view: ViewOutput, text: Markup, final: boolean) {
  const field = firstInput(view);
  return field === undefined
    ? { response_action: 'update' as const, view: final ? errorView(text) : modalWithError(view, { text }) }
    : fieldErrors({ [field]: stripMarkup(text) });
}

/** Shows an error after the acknowledgement: with the form, unless it can never be submitted with success. */
async function showFailure(
  { closedForms }: RequestContext,
  { view, body, context }: SubmissionArgs,
  failed: { text: Markup; final: boolean; response: SubmissionResponse; show: ReplaceView },
): Promise<void> {
  const { text, final, response, show } = failed;
  const owner = { workspaceId: context.teamId ?? '', userId: body.user.id };
  if (final) {
    if (!(await show(errorView(text)))) {
      await closedForms.notify(owner, view, text);
    }
    return;
  }
  // Slack can't put a file back into its field.
  const elements = Object.values(view.state.values).flatMap((block) => Object.values(block));
  const hadFile = elements.some(({ files = [] }) => files.length > 0);
  const remark = hadFile ? mrkdwn`${text}\n_Upload the file again._` : text;
  const secrets = 'view' in response ? response.secrets : undefined;
  const form = modalWithError(view, { text: remark, secrets });
  if (!(await show(form))) {
    await closedForms.offerAgain(owner, form, text);
  }
}

/** Slack refuses an error beside a field that a change is only about to show: it stands beside the first field. */
function besideShown(view: ViewOutput, errors: FieldErrors): FieldErrors {
  const shown = new Set(view.blocks.map(({ block_id }) => block_id));
  const first = firstInput(view);
  return Object.fromEntries(
    Object.entries(errors).map(([field, text]) => [shown.has(field) ? field : (first ?? field), text]),
  );
}

function fieldErrors(errors: FieldErrors) {
  const clamped = Object.entries(errors).flatMap(([field, text]) =>
    text === undefined ? [] : [[field, clampText(text, limits.errorText)]],
  );
  return { response_action: 'errors' as const, errors: Object.fromEntries(clamped) };
}

/** From the arrival of a request. Slack gives up after 3 s, and the acknowledgement is still to be made. */
const ackDeadlineMs = 1_500;

/**
 * Called when a request arrives: work done before `beforeAckDeadline` leaves less time for it.
 *
 * @param settled aborted when the request is done, and the deadline no longer matters
 */
export function startAckDeadline(timers: Timers, settled: AbortSignal): BeforeAckDeadline {
  const deadline = timers.bound(ackDeadlineMs, settled).then(() => undefined);
  return (work) => Promise.race([work, deadline]);
}
