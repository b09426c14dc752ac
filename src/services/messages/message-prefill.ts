import { isBilledByPage, type Route } from '../../domain/messages/routes.ts';
import { smsSender } from '../../domain/messages/sender-id.ts';
import { looksLikeOneTimeCode } from '../../domain/otp/one-time-code.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { DraftContent } from './drafts.ts';

/** What a message begins with: what its user sent with last, and otherwise the workspace's defaults. */
export interface MessagePrefill {
  route: Route;
  senderId?: string | undefined;
  /** The sender on the chat route. */
  device?: string | undefined;
}

export interface MessagePrefills {
  /** A text that is known already and has a one-time code is not put on the generic route. */
  prefill(workspaceId: string, userId: string, text?: string): Promise<MessagePrefill>;
  /**
   * Remembers what a message was sent with. The route of a call or a chat message is not kept: the next message that is typed
   * whole is meant as an SMS.
   */
  remember(workspaceId: string, userId: string, sent: DraftContent): Promise<void>;
}

export function createMessagePrefills(
  workspaces: Pick<Workspaces, 'defaults' | 'preferences' | 'rememberPreferences'>,
): MessagePrefills {
  return {
    async prefill(workspaceId, userId, text = '') {
      const [defaults, last] = await Promise.all([
        workspaces.defaults(workspaceId),
        workspaces.preferences(workspaceId, userId),
      ]);
      const route = last.route ?? defaults.route;
      return {
        route: route === 'generic' && looksLikeOneTimeCode(text) ? 'dnd' : route,
        senderId: last.senderId ?? smsSender(defaults.senderId),
        device: last.device ?? (defaults.route === 'chatapp' ? defaults.senderId : undefined),
      };
    },

    async remember(workspaceId, userId, { route, senderId }) {
      await workspaces.rememberPreferences(workspaceId, userId, {
        ...(route === 'chatapp' ? { device: senderId } : { senderId }),
        ...(isBilledByPage(route) ? { route } : {}),
      });
    },
  };
}
