import type { WebClient } from '@slack/web-api';
import type { SlackOAuth } from '../../../config/settings.ts';
import type { ProgramContext } from '../../client/slack-context.ts';
import { type Acceptance, createAcceptance } from './acceptance.ts';
import { allOwners } from './all-owners.ts';
import { type Covering, createCovering } from './covering.ts';
import { createExamineInstallation } from './examine-installation.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { type BotTokens, createBotTokens } from './tokens/bot-tokens.ts';
import { createLeases } from './tokens/leases.ts';
import { grantedWorkspaces, isTokenAccepted, refreshTokens } from './tokens/token-calls.ts';

/** What installations by OAuth consist of while the program runs. */
export interface OAuthParts {
  covering: Covering;
  tokens: BotTokens;
  lifecycle: Lifecycle;
  acceptance: Acceptance;
}

export function createOAuthParts(
  program: ProgramContext,
  options: { oauth: SlackOAuth; anonymous: WebClient; closing: AbortSignal },
): OAuthParts {
  const { oauth, anonymous, closing } = options;
  const isAccepted = (token: string) => isTokenAccepted(anonymous, token);
  const covering = createCovering(program);
  const leases = createLeases(program);
  const tokens = createBotTokens(program, {
    covering,
    leases,
    refresh: (refreshToken) => refreshTokens(anonymous, oauth, refreshToken),
    closing,
  });
  const lifecycle = createLifecycle(program, { covering, leases, isAccepted });
  const grantedTo = (token: string) => grantedWorkspaces(anonymous, token);
  const acceptance = createAcceptance(program, {
    examine: createExamineInstallation(program, { covering, leases, tokens, isAccepted, grantedTo }),
    owners: () => allOwners(program.store.slackInstallations),
    closing,
  });
  return { covering, tokens, lifecycle, acceptance };
}
