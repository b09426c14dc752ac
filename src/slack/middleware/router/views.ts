import { type RespondArguments, RespondError, type RespondFn } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Broadcast } from '../../../lib/broadcast.ts';
import type { SlackContext } from '../../client/slack-context.ts';
import { isSlackError } from '../../client/slack-errors.ts';
import type { ReplaceView } from '../requests.ts';

interface ViewContext extends Pick<SlackContext, 'clients'> {
  latestActions: LatestActions;
  forcedUpdates: ForcedUpdates;
}

const openedSchema = z.object({ view: z.object({ id: z.string() }).optional() });

/**
 * Opens or pushes a modal. The function it returns replaces the modal's content unless the user acts in it from now on:
 * their action is then answered instead. Slack: views.open, views.push.
 */
export async function openView(
  { latestActions, clients }: ViewContext,
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
  { clients, forcedUpdates }: ViewContext,
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

const errorSchema = z.object({ ok: z.literal(false), error: z.string() });

/**
 * Sends a message to a `response_url`.
 *
 * @throws RespondError also where Slack answers a message that it does not take with status 200 and the error as JSON
 */
export async function sendResponse(respond: RespondFn, message: RespondArguments): Promise<void> {
  const response = await respond(message);
  const { data } = errorSchema.safeParse(parseJson(await response.text()));
  if (data !== undefined) {
    throw new RespondError(`Slack did not take the message: ${data.error}`, 400);
  }
}

/** Slack's other answer is the bare word `ok`. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type LatestActions = ReturnType<typeof createLatestActions>;

const maxViews = 10_000;
/** In seconds: the step of Slack's times. */
const justAfter = 0.000_001;
/** In seconds: less than the time between two actions of a person. */
const sameTime = 0.001;

const messageSchema = z.tuple([z.string(), z.number()]);

/**
 * Each function returns another, which tells whether the action is still the latest in its view. Instances tell each other
 * of every action, and all go by Slack's time, so each comes to know the same latest one. Where
 * one learns of it too late, the user sees the answer to their earlier action, until they act again.
 */
export function createLatestActions(broadcast: Broadcast) {
  const latest = new LRUCache<string, number>({ max: maxViews });
  const latestOf = (view: string) => latest.get(view) ?? 0;
  const nameOf = (workspaceId: string, viewId: string) => JSON.stringify([workspaceId, viewId]);

  broadcast.on('action', (message) => {
    if (message === undefined) {
      return;
    }
    const [view, at] = messageSchema.parse(JSON.parse(message));
    latest.set(view, Math.max(at, latestOf(view)));
  });

  function guard(view: string, at: number): () => boolean {
    latest.set(view, at);
    return () => latestOf(view) === at;
  }

  return {
    /**
     * A view was opened. If a person acted in it before Slack's response with its id arrived, their action is
     * newer.
     */
    opened(workspaceId: string, viewId: string): () => boolean {
      const view = nameOf(workspaceId, viewId);
      return latest.has(view) ? () => false : guard(view, justAfter);
    },
    /** A user acted in a view. `at`: when, by Slack's clock, in seconds. Without it, after all that is known. */
    acted(workspaceId: string, viewId: string, at?: string): () => boolean {
      const view = nameOf(workspaceId, viewId);
      const time = Number(at);
      if (time < latestOf(view) - sameTime) {
        return () => false;
      }
      const isLatest = guard(view, time > latestOf(view) ? time : latestOf(view) + justAfter);
      broadcast.send('action', JSON.stringify([view, latestOf(view)]));
      return isLatest;
    },
  };
}

type ForcedUpdates = ReturnType<typeof createForcedUpdates>;

/**
 * Updates of modals that replace whatever is shown, under way to Slack. The acknowledgement of a submission waits for them:
 * one that overtook it would be replaced by the form.
 */
export function createForcedUpdates() {
  const underWay = new Map<string, Promise<unknown>>();
  return {
    add(viewId: string, update: Promise<unknown>): void {
      const all = Promise.allSettled([underWay.get(viewId), update]).finally(() => {
        if (underWay.get(viewId) === all) {
          underWay.delete(viewId);
        }
      });
      underWay.set(viewId, all);
    },
    /** Resolves when no action of a view is under way. Never rejects. */
    async settled(viewId: string): Promise<void> {
      await underWay.get(viewId);
    },
  };
}
