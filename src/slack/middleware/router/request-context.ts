import type { App } from '@slack/bolt';
import type { PublicContacts } from '../../../config/settings.ts';
import type { Permission } from '../../../domain/access/roles.ts';
import type { Broadcast } from '../../../lib/broadcast.ts';
import type { Log } from '../../../lib/log.ts';
import { withOrigin } from '../../../lib/request-origin.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import type { KeptForms } from '../../../services/workspaces/kept-forms.ts';
import { withEpoch } from '../../../store/installation/epoch.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { WorkspaceClients } from '../../client/workspace-clients.ts';
import type { Authorizer } from '../authorization/authorize.ts';
import type { ExplainMissingScope } from '../authorization/missing-scope.ts';
import type { RecordRefusal } from '../authorization/record-refusals.ts';
import { requirePermission } from '../authorization/require-permission.ts';
import { explainError, UserError } from '../errors.ts';
import type { ChannelCheck } from '../forms/channel-check.ts';
import type { ClosedForms } from '../forms/closed-forms.ts';
import { createFormMemory, type RememberFormValues } from '../forms/form-memory.ts';
import type { User } from '../requests.ts';
import { createDispatch, type Dispatch } from './dispatch.ts';
import { createForcedUpdates, type ForcedUpdates } from './forced-updates.ts';
import { createLatestActions, type LatestActions } from './latest-actions.ts';
import { observeRequests, type RequestKind } from './observe-request.ts';

/** What the handling of every kind of request shares. */
export interface RequestContext {
  app: App;
  dispatch: Dispatch;
  clients: WorkspaceClients;
  /** See `Authorizer`. */
  recall: Authorizer['recall'];
  /** Returns the user of a request. Throws a UserError unless they may do what it needs. */
  authorize(workspaceId: string | undefined, userId: string, needed: Permission): Promise<User>;
  /**
   * The same for a request that mostly shows something, from what is in memory where that suffices: see
   * `Authorizer.recall`. Nobody is refused by what is in memory.
   */
  admit(workspaceId: string | undefined, userId: string, needed: Permission): Promise<User>;
  log: Log;
  timers: Timers;
  commandPrefix: string;
  contacts: PublicContacts;
  closedForms: ClosedForms;
  channelCheck: ChannelCheck;
  /** Counts a request and keeps it among those in flight until its work is done. */
  trackRequest(kind: RequestKind, work: () => Promise<void>): Promise<void>;
  latestActions: LatestActions;
  forcedUpdates: ForcedUpdates;
  rememberFormValues: RememberFormValues;
  /** Returns the request's id, derived from Slack's id: the trigger, or the submitted view. */
  requestIdOf(slackId: string): string;
  /** Explains an error to the user through `show`. Logs it where even that fails. */
  reportError(
    error: unknown,
    show: (text: Markup) => Promise<unknown>,
    request: {
      workspaceId: string | undefined;
      userId: string;
      /** Whether the request may have sent something before it failed. */
      maySend?: boolean | undefined;
    },
  ): Promise<void>;
}

export function createRequestContext(options: {
  app: App;
  clients: WorkspaceClients;
  authorizer: Authorizer;
  log: Log;
  timers: Timers;
  commandPrefix: string;
  contacts: PublicContacts;
  epoch: string;
  count: (kind: RequestKind) => void;
  inFlight: Set<Promise<void>>;
  keptForms: KeptForms;
  broadcast: Broadcast;
  closedForms: ClosedForms;
  channelCheck: ChannelCheck;
  refused: RecordRefusal;
  explainMissingScope: ExplainMissingScope;
}): RequestContext {
  const { app, authorizer, log, timers, commandPrefix, epoch, count, inFlight } = options;
  const checkFirst = mrkdwn`If something was being sent, check \`/${commandPrefix}sms history\` before you try again.`;
  const observe = observeRequests({ log, elapsed: timers.elapsed });

  async function recordRefusal(
    workspaceId: string | undefined,
    userId: string,
    { needed, error }: { needed: Permission; error: unknown },
  ): Promise<void> {
    if (workspaceId !== undefined && error instanceof UserError) {
      await options.refused(workspaceId, userId, needed);
    }
  }

  async function authorize(
    workspaceId: string | undefined,
    userId: string,
    needed: Permission,
  ): Promise<User> {
    try {
      const user = await authorizer.authorize(workspaceId, userId);
      requirePermission(user, needed);
      return user;
    } catch (error) {
      await recordRefusal(workspaceId, userId, { needed, error });
      throw error;
    }
  }

  return {
    app,
    dispatch: createDispatch(app, observe),
    clients: options.clients,
    recall: authorizer.recall,
    log,
    timers,
    commandPrefix,
    contacts: options.contacts,
    closedForms: options.closedForms,
    channelCheck: options.channelCheck,

    authorize,

    async admit(workspaceId, userId, needed) {
      const known = await authorizer.recall(workspaceId, userId);
      return known?.permissions.has(needed) ? known : authorize(workspaceId, userId, needed);
    },

    async trackRequest(kind, work) {
      count(kind);
      // The others come with more than their kind, see `createDispatch`.
      const done =
        kind === 'home'
          ? withOrigin({ surface: 'home' }, () => observe({ kind, name: 'home' }, work))
          : work();
      inFlight.add(done);
      await done.finally(() => inFlight.delete(done));
    },

    latestActions: createLatestActions(options.broadcast),
    forcedUpdates: createForcedUpdates(),

    rememberFormValues: createFormMemory(options.keptForms, log),

    requestIdOf: (slackId) => withEpoch(epoch, slackId),

    async reportError(error, show, { maySend = false, ...user }) {
      const missingScope = await options.explainMissingScope(error, user);
      const text = explainError(error, log, { checkFirst: maySend ? checkFirst : undefined, missingScope });
      await show(text).catch((showError: unknown) =>
        log.error({ err: showError }, 'an error could not be shown to the user'),
      );
    },
  };
}
