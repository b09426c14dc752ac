import type { AppContext } from '../../middleware/app-context.ts';
import type { Navigation } from '../../navigation/navigation.ts';
import { type ComposeSettings, composeView } from './compose-view.ts';

type FormContext = Pick<AppContext, 'services' | 'settings'>;

export function composeSettings({ services, settings: { commandPrefix } }: FormContext): ComposeSettings {
  return { unicode: services.unicode, commandPrefix };
}

/** The form as other features open it: its result is for the user alone unless they choose otherwise. */
export function createMessageForm(context: FormContext): Navigation['messageForm'] {
  const { messages, senderIds } = context.services;
  const settings = composeSettings(context);
  return async ({ workspaceId, userId }, { recipients, text = '', route }, { draftId, origin }) => {
    // Asked for now, the list is there when the message is reviewed.
    void senderIds.knownActive(workspaceId).catch(() => {});
    const begin = await messages.prefill(workspaceId, userId, text);
    const destination = { inChannel: false, channelId: origin };
    const form = { ...begin, recipients, text, route: route ?? begin.route, destination };
    return composeView(form, { draftId, origin }, settings);
  };
}
