import { type WebAPICallResult, WebClient, type WebClientOptions } from '@slack/web-api';
import { isSlackError } from '../../../client/slack-errors.ts';

/** Tells when Slack does not accept its token, or does not let it into the workspace that the call is about. */
export class WatchedClient extends WebClient {
  readonly #onRefused: () => void;

  constructor(token: string, options: WebClientOptions, onRefused: () => void) {
    super(token, options);
    this.#onRefused = onRefused;
  }

  override async apiCall(...call: Parameters<WebClient['apiCall']>): Promise<WebAPICallResult> {
    try {
      return await super.apiCall(...call);
    } catch (error) {
      if (isSlackError(error, 'bad_token') || isSlackError(error, 'no_access')) {
        this.#onRefused();
      }
      throw error;
    }
  }
}
