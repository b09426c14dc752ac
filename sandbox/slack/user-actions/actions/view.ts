import type { JsonObject } from '../../../lib/json.ts';
import { isJsonObject, stringAt } from '../../../lib/json.ts';
import { ApiError } from '../../api-error.ts';
import { checkValues, checkViewErrors, inputsOf } from '../../block-kit/state.ts';
import type { SlackState } from '../../slack.ts';
import { viewClosedRequest, viewSubmissionRequest } from '../../transport/requests.ts';
import type { AppResponse } from '../../transport/transport.ts';
import { closeView, findView, pushView, updateView } from '../../workspace/views.ts';
import type { HeldView, Workspace } from '../../workspace/workspace.ts';
import { chosenState, findElement, inputOf } from '../elements.ts';
import { requirePerson, requireView } from '../lookup.ts';
import type { ActionOf, PreparedAction } from '../user-action.ts';
import { notDelivered, UserActionError } from '../user-action.ts';
import { offersIn } from './options.ts';

const TROUBLE = 'We had some trouble connecting. Try again?';

/** A person fills in an input that does not dispatch. */
export function prepareFill(slack: SlackState, action: ActionOf<'fill'>): PreparedAction {
  const { workspace } = slack;
  const view = requireView(workspace, requirePerson(workspace, action.person), action.viewId);
  const element = findElement(view.view.blocks, action.blockId, action.actionId);
  const input = inputOf(view.view, action);
  if (!input?.inInputBlock) {
    throw new UserActionError(`${action.actionId} tells the app of every change.`);
  }
  const before = view.values[action.blockId]?.[action.actionId];
  const state = chosenState(element, action.state, before, offersIn(slack, view.id, action));
  view.values[action.blockId] = { ...view.values[action.blockId], [action.actionId]: state };
  delete view.errors[action.blockId];
  workspace.changed();
  return notDelivered();
}

/** A person submits a modal. Values that Slack's client refuses do not reach the app. */
export function prepareSubmit(slack: SlackState, action: ActionOf<'submit'>): PreparedAction {
  const { workspace, triggers } = slack;
  const person = requirePerson(workspace, action.person);
  const view = requireView(workspace, person, action.viewId);
  if (view.view.submit === undefined) {
    throw new UserActionError('The view has no button to submit it.');
  }
  delete view.trouble;
  view.errors = checkValues(view.view, view.values);
  workspace.changed();
  if (Object.keys(view.errors).length > 0) {
    return notDelivered();
  }
  const request = viewSubmissionRequest({
    workspace,
    person,
    view,
    triggerId: triggers.issue({
      person: person.id,
      viewId: view.id,
      ...(view.channel !== undefined && { channel: view.channel }),
    }),
    responseUrls: responseUrlsOf(slack, view),
  });
  return { request, settle: (answer) => settleSubmission(workspace, view, answer) };
}

/** A person closes a modal, or with `all` the whole stack. A second click on a modal that is closed does nothing. */
export function prepareClose(slack: SlackState, action: ActionOf<'close'>): PreparedAction {
  const { workspace } = slack;
  const person = requirePerson(workspace, action.person);
  const view = findView(workspace, action.viewId);
  if (view?.person !== person.id) {
    return notDelivered();
  }
  const all = action.all === true || view.view.clear_on_close === true;
  const closed = all ? workspace.stackOf(person.id) : [view];
  closeView(workspace, view, all);
  const notified = closed.find((candidate) => candidate.view.notify_on_close === true);
  if (!notified) {
    return notDelivered();
  }
  return { request: viewClosedRequest(workspace, person, notified, all), settle: () => undefined };
}

function settleSubmission(workspace: Workspace, view: HeldView, answer: AppResponse): string | undefined {
  const trouble = (reason: string): string => {
    view.trouble = TROUBLE;
    workspace.changed();
    return `${TROUBLE} (${reason})`;
  };
  if (answer.failure) {
    return trouble(answer.failure);
  }
  if (answer.body !== null && !isJsonObject(answer.body)) {
    return trouble('the answer is no JSON object');
  }
  try {
    const refused = applyResponseAction(workspace, view, answer.body ?? {});
    return refused.length > 0 ? trouble(refused.join(' ')) : undefined;
  } catch (error) {
    if (error instanceof ApiError) {
      return trouble(error.message);
    }
    throw error;
  }
}

/** Applies the app's `response_action`. Returns what is wrong with it. */
function applyResponseAction(workspace: Workspace, view: HeldView, body: JsonObject): string[] {
  switch (body.response_action) {
    case undefined:
      closeView(workspace, view);
      return [];
    case 'clear':
      closeView(workspace, view, true);
      return [];
    case 'update':
      updateView(workspace, view, body.view);
      return [];
    case 'push':
      pushView(workspace, () => ({ person: view.person, viewId: view.id }), body.view);
      return [];
    case 'errors':
      return showErrors(workspace, view, body.errors);
    default:
      return [`unknown response_action ${body.response_action}`];
  }
}

function showErrors(workspace: Workspace, view: HeldView, errors: unknown): string[] {
  const refused = checkViewErrors(errors, view.view);
  if (refused.length > 0) {
    return refused;
  }
  if (!isJsonObject(errors)) {
    return ['errors is no object'];
  }
  view.errors = Object.fromEntries(Object.entries(errors).map(([block, text]) => [block, String(text)]));
  workspace.changed();
  return [];
}

/** Issues a response_url for each conversation picked in a select with `response_url_enabled`. */
function responseUrlsOf({ responseUrls }: SlackState, view: HeldView): JsonObject[] {
  return inputsOf(view.view)
    .filter(({ element }) => element.response_url_enabled === true)
    .flatMap(({ blockId, actionId }) => {
      const state = view.values[blockId]?.[actionId];
      const channel = stringAt(state, 'selected_conversation') ?? stringAt(state, 'selected_channel');
      if (channel === undefined) {
        return [];
      }
      const url = responseUrls.issue('app', { person: view.person, channel });
      return [{ block_id: blockId, action_id: actionId, channel_id: channel, response_url: url }];
    });
}
