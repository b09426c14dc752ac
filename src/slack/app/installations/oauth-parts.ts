import type { WebClient, WebClientOptions } from '@slack/web-api';
import type { SlackOAuth } from '../../../config/settings.ts';
import type { Broadcast } from '../../../lib/broadcast.ts';
import type { Log } from '../../../lib/log.ts';
import type { Time } from '../../../lib/time/clock.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import type { AuditService } from '../../../services/audit/audit-service.ts';
import type { SlackInstallations } from '../../../store/slack-installations/slack-installations.ts';
import { type Acceptance, createAcceptance } from './acceptance.ts';
import { allOwners } from './all-owners.ts';
import { type Covering, createCovering } from './covering.ts';
import { createExamineInstallation } from './examine-installation.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { type BotTokens, createBotTokens } from './tokens/bot-tokens.ts';
import { createLeases } from './tokens/leases.ts';
import { grantedWorkspaces, isTokenAccepted, refreshTokens } from './tokens/token-calls.ts';

export interface OAuthAccessOptions {
  oauth: SlackOAuth;
  apiUrl: URL | undefined;
  commandPrefix: string;
  clientOptions: WebClientOptions & Pick<Required<WebClientOptions>, 'logger'>;
  installations: SlackInstallations;
  /** Deletes everything of a workspace. */
  forget: (workspaceId: string) => Promise<void>;
  /** Stops what is being sent for a workspace, and deletes nothing. */
  hold: (workspaceId: string) => Promise<void>;
  /** Returns the workspaces that something is to be sent for as soon as the program has started. */
  sending: () => Promise<readonly string[]>;
  audit: AuditService;
  broadcast: Broadcast;
  time: Time;
  timers: Timers;
  log: Log;
}

/** What installations by OAuth consist of while the program runs. */
export interface OAuthParts {
  covering: Covering;
  tokens: BotTokens;
  lifecycle: Lifecycle;
  acceptance: Acceptance;
}

export function createOAuthParts(
  options: OAuthAccessOptions,
  { anonymous, closing }: { anonymous: WebClient; closing: AbortSignal },
): OAuthParts {
  const { oauth, installations, forget, hold, audit, time, timers, log } = options;
  const { now: clock, elapsed } = time;
  const isAccepted = (token: string) => isTokenAccepted(anonymous, token);
  const covering = createCovering({ installations, elapsed, broadcast: options.broadcast });
  const leases = createLeases({ installations, timers });
  const shared = { installations, covering, leases, clock, log };
  const tokens = createBotTokens({
    ...shared,
    refresh: (refreshToken) => refreshTokens(anonymous, oauth, refreshToken),
    elapsed,
    timers,
    closing,
  });
  const lifecycle = createLifecycle({ ...shared, forget, isAccepted, audit });
  const grantedTo = (token: string) => grantedWorkspaces(anonymous, token);
  const acceptance = createAcceptance({
    examine: createExamineInstallation({ ...shared, tokens, isAccepted, grantedTo, hold }),
    owners: () => allOwners(installations),
    elapsed,
    closing,
    log,
  });
  return { covering, tokens, lifecycle, acceptance };
}
