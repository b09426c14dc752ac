import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Log } from '../../lib/log.ts';
import { keyIn } from '../../store/installation/epoch.ts';
import type { Markup } from '../block-kit/text.ts';
import { mrkdwn } from '../block-kit/text.ts';
import type { Values } from '../block-kit/view-state.ts';
import type { People } from './authorize.ts';
import type { Asker, Replace } from './calls.ts';
import type { ClosedForms } from './closed-forms.ts';
import { createDispatch, type Dispatch } from './dispatch.ts';
import { explain, isSlackError, Refusal } from './errors.ts';
import { rememberFilledIn } from './filled-in.ts';

const rememberedViews = 10_000;

export type RequestKind = 'command' | 'submission' | 'action' | 'options' | 'shortcut' | 'home' | 'closed';

/** What all kinds of request have in common. */
export interface Reception {
  app: App;
  dispatch: Dispatch;
  people: People;
  log: Log;
  commandPrefix: string;
  /** Gives who asks, or throws a Refusal that says why they may not. */
  admit(workspaceId: string | undefined, personId: string): Promise<Asker>;
  /** Counts a request and remembers it until its work is done. */
  take(kind: RequestKind, work: () => Promise<void>): Promise<void>;
  /** Notes that a person acted on a view; the function returned tells whether it is still the last they did there. */
  arrive(viewId: string): () => boolean;
  /** What a person filled in of a view, by what stands in it now and stood in it before. */
  fillIn(personId: string, viewId: string, values: Values): Values;
  closedForms: ClosedForms;
  /** Of what Slack names a request by: its trigger, or the view that is submitted. */
  requestIdOf(slackId: string): string;
  /** Puts what was thrown into words and says them; where not even that is possible, the log has it. */
  tellTrouble(error: unknown, say: (text: Markup) => Promise<unknown>): Promise<void>;
}

export function createReception(tools: {
  app: App;
  people: People;
  log: Log;
  commandPrefix: string;
  epoch: string;
  count: (kind: RequestKind) => void;
  underWay: Set<Promise<void>>;
  closedForms: ClosedForms;
}): Reception {
  const { app, people, log, commandPrefix, epoch, count, underWay, closedForms } = tools;
  const lastDone = new Map<string, symbol>();
  return {
    app,
    dispatch: createDispatch(app),
    people,
    log,
    commandPrefix,

    async admit(workspaceId, personId) {
      if (workspaceId === undefined) {
        throw new Refusal(mrkdwn`Switchboard is for the people of its own workspace. Nothing was done.`);
      }
      // Whose workspace a payload calls theirs says nothing: on Enterprise Grid it may be another of the enterprise.
      const standing = people.known(personId) ?? (await people.standing(personId));
      if (!standing.allowed) {
        throw new Refusal(mrkdwn`${standing.reason}`);
      }
      return { workspaceId, personId, role: standing.role, zone: standing.zone };
    },

    async take(kind, work) {
      count(kind);
      const done = work();
      underWay.add(done);
      await done.finally(() => underWay.delete(done));
    },

    arrive(viewId) {
      const deed = Symbol();
      if (lastDone.size >= rememberedViews) {
        lastDone.clear();
      }
      lastDone.set(viewId, deed);
      return () => lastDone.get(viewId) === deed;
    },

    fillIn: rememberFilledIn(),
    closedForms,

    requestIdOf: (slackId) => keyIn(epoch, slackId),

    async tellTrouble(error, say) {
      await say(explain(error, log)).catch((unsaid: unknown) =>
        log.error({ err: unsaid }, 'a fault could not be shown to its person'),
      );
    },
  };
}

/** A person may close a modal at any time: false where what was to be shown in it has no place any more. */
export async function closedIsFine(update: Promise<unknown>): Promise<boolean> {
  try {
    await update;
    return true;
  } catch (error) {
    if (!isSlackError(error, 'not_found')) {
      throw error;
    }
    return false;
  }
}

/** Opens or pushes a modal, and gives what replaces its content. Slack: views.open, views.push. */
export async function openView(
  reception: Pick<Reception, 'arrive'>,
  client: WebClient,
  method: 'views.open' | 'views.push',
  triggerId: string,
  view: ModalView,
): Promise<Replace> {
  // As JSON: given an object, the client would go through all of it once more for a log that is off.
  const answer = await client.apiCall(method, { trigger_id: triggerId, view: JSON.stringify(view) });
  return replacing(reception, client, openedSchema.parse(answer).view?.id);
}

/** Replaces a modal's content unless the person does something in it from now on: then that has its own answer. */
function replacing(
  { arrive }: Pick<Reception, 'arrive'>,
  client: WebClient,
  viewId: string | undefined,
): Replace {
  const isLast = arrive(viewId ?? '');
  return async (view) =>
    viewId !== undefined && isLast() && closedIsFine(client.views.update({ view_id: viewId, view }));
}

const openedSchema = z.object({ view: z.object({ id: z.string() }).optional() });

export function readMetadata(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}
