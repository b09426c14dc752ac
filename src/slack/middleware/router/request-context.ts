import type { App } from '@slack/bolt';
import { withEpoch } from '../../../domain/access/request-keys.ts';
import { withOrigin } from '../../../lib/request-origin.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { SlackContext } from '../../client/slack-context.ts';
import { type Authorizer, createAdmission } from '../authorize.ts';
import { explainError } from '../errors.ts';
import { createChannelCheck } from '../forms/channel-check.ts';
import { createClosedForms, createFormMemory, type SendMessage } from '../forms/form-memory.ts';
import { createMissingScopeExplanation } from '../missing-grant.ts';
import { createDispatch, observeRequests, type RequestKind } from './dispatch.ts';
import { createForcedUpdates, createLatestActions } from './views.ts';

export type RequestContext = ReturnType<typeof createRequestContext>;

/** What the router is given besides the context. */
export interface RouterDeps {
  app: App;
  authorizer: Authorizer;
  /** Sends a user a direct message from the app. */
  message: SendMessage;
  installAddress: URL | undefined;
}

/** What the handling of every kind of request shares. */
export function createRequestContext(context: SlackContext, deps: RouterDeps) {
  const { settings, store, services, metrics, broadcast, timers, log } = context;
  const { app, authorizer } = deps;
  const { recall } = authorizer;
  const { epoch } = store.installation;
  const checkFirst = mrkdwn`If something was being sent, check \`/${settings.commandPrefix}sms history\` before you try again.`;
  const observe = observeRequests({ log, elapsed: timers.elapsed });
  const inFlight = new Set<Promise<void>>();
  const explainMissingScope = createMissingScopeExplanation({ ...deps, recall });

  return {
    ...context,
    ...createAdmission(context, authorizer),
    app,
    dispatch: createDispatch(app, observe),
    observe,
    /** See `createAuthorizer`. */
    recall,
    closedForms: createClosedForms(context, deps.message),
    channelCheck: createChannelCheck(context.channels),
    latestActions: createLatestActions(broadcast),
    forcedUpdates: createForcedUpdates(),
    rememberFormValues: createFormMemory(services.savedForms, log),

    /** Counts a request and keeps it among those in flight until its work is done. */
    async trackRequest(kind: RequestKind, work: () => Promise<void>): Promise<void> {
      metrics.request(kind);
      // The others come with more than their kind, see `createDispatch`.
      const done =
        kind === 'home'
          ? withOrigin({ surface: 'home' }, () => observe({ kind, name: 'home' }, work))
          : work();
      inFlight.add(done);
      await done.finally(() => inFlight.delete(done));
    },

    /** Resolves when every request received so far is done. */
    async settled(): Promise<void> {
      await Promise.allSettled(inFlight);
    },

    /** Returns the request's id, derived from Slack's id: the trigger, or the submitted view. */
    requestIdOf: (slackId: string): string => withEpoch(epoch, slackId),

    /**
     * Explains an error to the user through `show`. Logs it where even that fails.
     *
     * @param request.maySend whether the request may have sent something before it failed
     */
    async reportError(
      error: unknown,
      show: (text: Markup) => Promise<unknown>,
      { maySend = false, ...user }: { workspaceId: string | undefined; userId: string; maySend?: boolean },
    ): Promise<void> {
      const missingScope = await explainMissingScope(error, user);
      const text = explainError(error, log, {
        checkFirst: maySend ? checkFirst : undefined,
        missingScope,
        commandPrefix: settings.commandPrefix,
      });
      await show(text).catch((showError: unknown) =>
        log.error({ err: showError }, 'an error could not be shown to the user'),
      );
    },
  };
}
