import { type WebAPICallResult, WebClient, type WebClientOptions } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { isSlackError } from '../../client/slack-errors.ts';
import { NotInstalledError, type WorkspaceClients } from '../../client/workspace-clients.ts';
import type { BotTokens } from './tokens.ts';

const maxClients = 1_000;

/** A client for each workspace, with the token that its installation has now. None where Slack refuses that. */
export function createInstalledClients(options: {
  tokens: BotTokens;
  clientOptions: WebClientOptions;
  /** Called with the owner of an installation whose token Slack does not accept. */
  onRefused: (ownerId: string) => void;
}): WorkspaceClients {
  const { tokens, clientOptions, onRefused } = options;
  const clients = new LRUCache<string, WebClient>({ max: maxClients });
  return {
    async for(workspaceId) {
      const { token, isEnterpriseWide, ownerId, refusedAt } = await tokens.of(workspaceId);
      if (refusedAt !== undefined) {
        throw new NotInstalledError();
      }
      const known = clients.get(workspaceId);
      if (known?.token === token) {
        return known;
      }
      // The token of an enterprise is for all its workspaces: each call says for which one.
      const team = isEnterpriseWide && workspaceId !== ownerId ? { teamId: workspaceId } : {};
      const client = new InstalledClient(token, { ...clientOptions, ...team }, () => onRefused(ownerId));
      clients.set(workspaceId, client);
      return client;
    },
  };
}

/** Tells when Slack does not accept its token. */
class InstalledClient extends WebClient {
  readonly #onRefused: () => void;

  constructor(token: string, options: WebClientOptions, onRefused: () => void) {
    super(token, options);
    this.#onRefused = onRefused;
  }

  override async apiCall(...call: Parameters<WebClient['apiCall']>): Promise<WebAPICallResult> {
    try {
      return await super.apiCall(...call);
    } catch (error) {
      if (isSlackError(error, 'bad_token')) {
        this.#onRefused();
      }
      throw error;
    }
  }
}
