import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Log } from '../../../lib/log.ts';
import { keyIn } from '../../../store/installation/epoch.ts';
import type { Markup } from '../../block-kit/text.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { isSlackError } from '../../client/slack-errors.ts';
import type { Authorizer } from '../authorization/authorize.ts';
import { explainError, UserError } from '../errors.ts';
import type { ClosedForms } from '../forms/closed-forms.ts';
import { createFormMemory } from '../forms/form-memory.ts';
import type { ReplaceView, User } from '../requests.ts';
import { createDispatch, type Dispatch } from './dispatch.ts';

const rememberedViews = 10_000;

export type RequestKind = 'command' | 'submission' | 'action' | 'options' | 'shortcut' | 'home' | 'closed';

/** What all kinds of request have in common. */
export interface RequestContext {
  app: App;
  dispatch: Dispatch;
  authorizer: Authorizer;
  log: Log;
  commandPrefix: string;
  /** Gives who asks, or throws a Refusal that says why they may not. */
  authorize(workspaceId: string | undefined, userId: string): Promise<User>;
  /** Counts a request and remembers it until its work is done. */
  trackRequest(kind: RequestKind, work: () => Promise<void>): Promise<void>;
  /** Notes that a person acted on a view; the function returned tells whether it is still the last they did there. */
  latestActionGuard(viewId: string): () => boolean;
  /** What a person filled in of a view, by what stands in it now and stood in it before. */
  rememberFormValues(userId: string, viewId: string, values: FormValues): FormValues;
  closedForms: ClosedForms;
  /** Of what Slack names a request by: its trigger, or the view that is submitted. */
  requestIdOf(slackId: string): string;
  /** Puts what was thrown into words and says them; where not even that is possible, the log has it. */
  reportError(error: unknown, say: (text: Markup) => Promise<unknown>): Promise<void>;
}

export function createRequestContext(context: {
  app: App;
  authorizer: Authorizer;
  log: Log;
  commandPrefix: string;
  epoch: string;
  count: (kind: RequestKind) => void;
  underWay: Set<Promise<void>>;
  closedForms: ClosedForms;
}): RequestContext {
  const { app, authorizer, log, commandPrefix, epoch, count, underWay, closedForms } = context;
  const lastDone = new Map<string, symbol>();
  return {
    app,
    dispatch: createDispatch(app),
    authorizer: authorizer,
    log,
    commandPrefix,

    async authorize(workspaceId, userId) {
      if (workspaceId === undefined) {
        throw new UserError(mrkdwn`Switchboard is for the people of its own workspace. Nothing was done.`);
      }
      // Whose workspace a payload calls theirs says nothing: on Enterprise Grid it may be another of the enterprise.
      const standing = authorizer.cached(userId) ?? (await authorizer.authorize(userId));
      if (!standing.allowed) {
        throw new UserError(mrkdwn`${standing.reason}`);
      }
      return { workspaceId, userId, role: standing.role, zone: standing.zone };
    },

    async trackRequest(kind, work) {
      count(kind);
      const done = work();
      underWay.add(done);
      await done.finally(() => underWay.delete(done));
    },

    latestActionGuard(viewId) {
      const deed = Symbol();
      if (lastDone.size >= rememberedViews) {
        lastDone.clear();
      }
      lastDone.set(viewId, deed);
      return () => lastDone.get(viewId) === deed;
    },

    rememberFormValues: createFormMemory(),
    closedForms,

    requestIdOf: (slackId) => keyIn(epoch, slackId),

    async reportError(error, say) {
      await say(explainError(error, log)).catch((unsaid: unknown) =>
        log.error({ err: unsaid }, 'a fault could not be shown to its person'),
      );
    },
  };
}

/** A person may close a modal at any time: false where what was to be shown in it has no place any more. */
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

/** Opens or pushes a modal, and gives what replaces its content. Slack: views.open, views.push. */
export async function openView(
  requestContext: Pick<RequestContext, 'latestActionGuard'>,
  client: WebClient,
  method: 'views.open' | 'views.push',
  triggerId: string,
  view: ModalView,
): Promise<ReplaceView> {
  // As JSON: given an object, the client would go through all of it once more for a log that is off.
  const answer = await client.apiCall(method, { trigger_id: triggerId, view: JSON.stringify(view) });
  return replacing(requestContext, client, openedSchema.parse(answer).view?.id);
}

/** Replaces a modal's content unless the person does something in it from now on: then that has its own answer. */
function replacing(
  { latestActionGuard }: Pick<RequestContext, 'latestActionGuard'>,
  client: WebClient,
  viewId: string | undefined,
): ReplaceView {
  const isLast = latestActionGuard(viewId ?? '');
  return async (view) =>
    viewId !== undefined && isLast() && unlessClosed(client.views.update({ view_id: viewId, view }));
}

const openedSchema = z.object({ view: z.object({ id: z.string() }).optional() });

export function readMetadata(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}
