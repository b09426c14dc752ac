import { isJsonObject, type JsonObject, stringAt } from '../../../lib/json.ts';
import { optionsIn } from '../../block-kit/composition.ts';
import { checkValues, checkViewErrors, inputsOf } from '../../block-kit/state.ts';
import { checkOptionsAnswer } from '../../block-kit/surfaces.ts';
import { ApiError, UserActionError } from '../../errors.ts';
import type { Person } from '../../protocol.ts';
import type { SlackState } from '../../slack.ts';
import {
  blockActionsRequest,
  blockSuggestionRequest,
  type InteractionSource,
  viewClosedRequest,
  viewSubmissionRequest,
} from '../../transport/requests.ts';
import type { AppResponse } from '../../transport/transport.ts';
import type { Trigger } from '../../workspace/triggers.ts';
import { closeView, findView, pushView, updateView } from '../../workspace/views.ts';
import type { HeldView, Workspace } from '../../workspace/workspace.ts';
import { chosenState, findElement, inputOf, requirePerson, requireView, sourceOf } from '../lookup.ts';
import { type ActionOf, notDelivered, type PreparedAction } from '../user-action.ts';

/** A person presses a button or changes an element that dispatches at once. */
export function prepareBlockAction(slack: SlackState, action: ActionOf<'action'>): PreparedAction {
  const { workspace, triggers } = slack;
  const person = requirePerson(workspace, action.person);
  const source = sourceOf(slack, person, action.container);
  const surface = 'view' in source ? source.view.view : { blocks: source.message.blocks };
  const values = 'view' in source ? source.view.values : source.values;
  const element = findElement(surface.blocks, action.blockId, action.actionId);
  const input = inputOf(surface, action);
  if (input && !input.dispatches) {
    throw new UserActionError(`${action.actionId} does not tell the app of a change.`);
  }
  const offered = offersIn(slack, 'view' in source ? source.view.id : source.message.ts, action);
  const before = values[action.blockId]?.[action.actionId];
  const state = action.state && chosenState(element, action.state, before, offered);
  if (input && state) {
    values[action.blockId] = { ...values[action.blockId], [action.actionId]: state };
  }
  if ('view' in source) {
    delete source.view.errors[action.blockId];
  }
  workspace.changed();
  return {
    request: blockActionsRequest({
      workspace,
      person,
      source,
      action: actionPayload(element, action, state, workspace.timestamp()),
      triggerId: triggers.issue(triggerOf(person, source)),
    }),
    settle: ({ failure }) => {
      if (failure === undefined) {
        return undefined;
      }
      const message =
        failure === 'operation_timeout'
          ? 'Operation timed out. Apps need to respond within 3 seconds.'
          : 'Something went wrong: the app did not answer as expected.';
      workspace.notify(person.id, message);
      return message;
    },
  };
}

function triggerOf(person: Person, source: InteractionSource): Trigger {
  if (!('view' in source)) {
    return { person: person.id, channel: source.channel.id };
  }
  const { id, channel } = source.view;
  return { person: person.id, viewId: id, ...(channel !== undefined && { channel }) };
}

function actionPayload(
  element: JsonObject,
  action: ActionOf<'action'>,
  state: JsonObject | undefined,
  timestamp: string,
): JsonObject {
  const { type, text, value, style } = element;
  return {
    type: type ?? '',
    action_id: action.actionId,
    block_id: action.blockId,
    ...(type === 'button' && {
      ...(text !== undefined && { text }),
      ...(value !== undefined && { value }),
      ...(style !== undefined && { style }),
    }),
    ...state,
    action_ts: timestamp,
  };
}

/** Slack's default for `min_query_length`. */
const MIN_QUERY_LENGTH = 3;

/** A person types in an external select. */
export function prepareOptions(slack: SlackState, action: ActionOf<'options'>): PreparedAction {
  const { workspace } = slack;
  const person = requirePerson(workspace, action.person);
  const source = sourceOf(slack, person, action.container);
  const within = 'view' in source ? source.view.view.blocks : source.message.blocks;
  const element = findElement(within, action.blockId, action.actionId);
  if (element.type !== 'external_select' && element.type !== 'multi_external_select') {
    throw new UserActionError(`A ${element.type} does not ask the app for options.`);
  }
  const enough = Number(element.min_query_length ?? MIN_QUERY_LENGTH);
  if (action.query.length < enough) {
    return { ...notDelivered(), answer: { options: [] } };
  }
  const { blockId, actionId, query } = action;
  return {
    request: blockSuggestionRequest({ workspace, person, source, blockId, actionId, query }),
    settle: ({ failure, body }) => {
      if (failure) {
        return failure;
      }
      const refused = checkOptionsAnswer(body);
      if (refused.length > 0 || !isJsonObject(body)) {
        return refused.join(' ');
      }
      const surface = 'view' in source ? source.view.id : source.message.ts;
      slack.offers.set(offerKey(surface, action), optionsIn(body));
      return undefined;
    },
  };
}

/** Returns the options that an external select offered last, by the id of its view or the ts of its message. */
function offersIn(
  slack: SlackState,
  surface: string,
  element: { blockId: string; actionId: string },
): JsonObject[] {
  return slack.offers.get(offerKey(surface, element)) ?? [];
}

function offerKey(surface: string, element: { blockId: string; actionId: string }): string {
  return `${surface}/${element.blockId}/${element.actionId}`;
}

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
    return trouble('the answer is not a JSON object');
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
