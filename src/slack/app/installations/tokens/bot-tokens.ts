import type { SlackInstallation } from '../../../../store/slack-installations/installation-record.ts';
import { NotInstalledError } from '../../../client/workspace-clients.ts';
import { createTokenRefresh, endsWithin, type TokenContext, type TokenParts } from './token-refresh.ts';

/** The bot tokens of the installations. Those that expire are refreshed in time. */
export interface BotTokens {
  /**
   * Returns the installation that serves a workspace, with a token that is valid now.
   *
   * @throws NotInstalledError also where the token has expired and Slack refuses to refresh it
   */
  of(workspaceId: string): Promise<SlackInstallation>;
  /** Resolves when no refresh is under way, so that no answer of Slack's is lost. */
  settled(): Promise<void>;
}

/** A token that ends sooner than this is not begun with. */
const marginMs = 60_000;

export function createBotTokens(context: TokenContext, parts: TokenParts): BotTokens {
  const {
    time: { now: clock },
    log,
  } = context;
  const { covering } = parts;
  const tokens = createTokenRefresh(context, parts);
  return {
    async of(workspaceId) {
      const installation = await covering.ofWorkspace(workspaceId);
      if (installation === undefined) {
        throw new NotInstalledError();
      }
      const { ownerId } = installation;
      const mayRefresh = tokens.isDue(installation);
      if (!endsWithin(installation, marginMs, clock)) {
        // Nobody waits for it while the present token is valid.
        if (mayRefresh) {
          tokens
            .refresh(ownerId)
            .catch((error: unknown) =>
              log.error({ err: error, owner: ownerId }, 'a token could not be refreshed yet'),
            );
        }
        return installation;
      }
      const renewed = mayRefresh ? await tokens.refresh(ownerId) : installation;
      if (renewed === undefined || endsWithin(renewed, 0, clock)) {
        throw new NotInstalledError();
      }
      return renewed;
    },
    settled: tokens.settled,
  };
}
