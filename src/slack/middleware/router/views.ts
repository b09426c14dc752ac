import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { isSlackError } from '../../client/slack-errors.ts';
import type { ReplaceView } from '../requests.ts';
import type { RequestContext } from './request-context.ts';

const openedSchema = z.object({ view: z.object({ id: z.string() }).optional() });

/**
 * Opens or pushes a modal. The function it returns replaces the modal's content unless the user acts in it from now on:
 * their action is then answered instead. Slack: views.open, views.push.
 */
export async function openView(
  { latestActions, clients }: Pick<RequestContext, 'latestActions' | 'clients'>,
  workspaceId: string,
  method: 'views.open' | 'views.push',
  triggerId: string,
  view: ModalView,
): Promise<ReplaceView> {
  const client = await clients.for(workspaceId);
  // As JSON: the client walks through an object once more, for a log that is off.
  const response = await client.apiCall(method, { trigger_id: triggerId, view: JSON.stringify(view) });
  const viewId = openedSchema.parse(response).view?.id;
  const isLatest = latestActions.opened(workspaceId, viewId ?? '');
  return async (content) =>
    viewId !== undefined &&
    isLatest() &&
    unlessClosed(client.views.update({ view_id: viewId, view: content }));
}

/**
 * Returns a function that replaces the content of the modal a user acted in until they type on, or submit: only the
 * answer to their latest action may be shown. The hash tells whether the view has changed since the last replacement,
 * `isLatest` whether this content still belongs in it.
 */
export function replaceWhileLatest(
  { clients, forcedUpdates }: Pick<RequestContext, 'clients' | 'forcedUpdates'>,
  workspaceId: string,
  view: { id: string; hash: string },
  isLatest: () => boolean,
): ReplaceView {
  let knownHash: string | undefined = view.hash;
  const update = async (content: ModalView, hash: string | undefined) => {
    const client = await clients.for(workspaceId);
    const response = await client.views.update({ view_id: view.id, view: content, ...(hash && { hash }) });
    knownHash = response.view?.hash;
  };
  return async (content) => {
    if (!isLatest()) {
      return false;
    }
    try {
      return await unlessClosed(update(content, knownHash));
    } catch (error) {
      if (!isSlackError(error, 'view_changed')) {
        throw error;
      }
      if (!isLatest()) {
        return false;
      }
      const forced = unlessClosed(update(content, undefined));
      forcedUpdates.add(view.id, forced);
      return await forced;
    }
  };
}

/** Resolves with false where the user has closed the modal, which they may at any time. */
export async function unlessClosed(update: Promise<unknown>): Promise<boolean> {
  try {
    await update;
    return true;
  } catch (error) {
    if (!isSlackError(error, 'view_closed')) {
      throw error;
    }
    return false;
  }
}

export function readMetadata(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}
