import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { senderFields } from '../../../domain/messages/message-checks.ts';
import { routeSchema } from '../../../domain/messages/routes.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import { typedNumbers } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { requirePermission } from '../../middleware/authorize.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Navigation } from '../../navigation/navigation.ts';
import { savedForms, savedStarts } from './form/saved-forms.ts';
import { submitImport } from './import.ts';
import { defaultStart, type StartForm } from './review/start-form.ts';

const withId = z.object({ id: z.string() });
/** A form has it one level deeper. */
const metadataSchema = z.union([withId, z.object({ meta: withId }).transform(({ meta }) => meta)]);

/**
 * Returns a router for what people who may send messages, but no campaigns, do with messages for later. The campaign is named
 * by the value of a button, or by the metadata of the view.
 */
export function forMessages(router: Router, { services }: AppContext): Router {
  async function check(user: User, value: string, metadata: unknown): Promise<void> {
    if (user.permissions.has('campaign')) {
      return;
    }
    const find = async (id = '') => services.campaigns.findAny(user.workspaceId, id);
    const shown = value.startsWith('{') ? withId.safeParse(JSON.parse(value)).data?.id : value;
    const campaign = (await find(shown)) ?? (await find(metadataSchema.safeParse(metadata).data?.id));
    if (campaign !== undefined && !campaign.isMessage) {
      requirePermission(user, 'campaign');
    }
  }
  return {
    ...router,
    action: (actionId, _needed, handle) =>
      router.action(actionId, 'send', async (call) => {
        await check(call.user, call.value, call.view?.metadata);
        await handle(call);
      }),
    submission: (callbackId, _needed, handle) =>
      router.submission(callbackId, 'send', async (call) => {
        await check(call.user, '', call.metadata);
        return handle(call);
      }),
  };
}

/** Keeps a message for later as the draft of a campaign, whose review asks for the time. */
export function createMessageSchedule(context: AppContext): Navigation['scheduleMessage'] {
  return async (viewer, { recipients, destination, ...message }, { draft, origin, beforeAckDeadline }) => {
    const { inChannel, channelId } = destination;
    const before = await savedStarts.find(context, viewer, draft.id);
    const start: StartForm = { ...defaultStart, ...before, when: 'at', inChannel, channelId };
    await savedStarts.save(context, viewer, draft.id, start);
    const form = { ...message, source: 'pasted', pasted: recipients, isMessage: true, name } as const;
    const imported = { form, reading: undefined, version: draft.version };
    return submitImport(context, viewer, draft.id, imported, { origin, beforeAckDeadline });
  };
}

/** It lies in the clear, so it says neither whom the message goes to nor its text. */
const name = 'Scheduled message';

/** Returns the form of a message for later that is a draft. Its review will be shown with `start`. */
export async function messageDraftForm(
  context: AppContext,
  user: User,
  campaign: Campaign,
  {
    requestId,
    origin,
    start,
  }: { requestId: string; origin?: string | undefined; start?: StartForm | undefined },
): Promise<ModalView> {
  const { id, version, text, withoutAccents, senderId } = campaign;
  if (start !== undefined) {
    await savedStarts.save(context, user, id, start);
  }
  const saved = await savedForms.find(context, user, id);
  const typed = saved?.version === version ? saved.form : undefined;
  const numbers = await context.services.campaigns.recipientsOfMessage(campaign);
  const route = routeSchema.parse(campaign.route);
  const { inChannel = false, channelId = origin } = start ?? {};
  return context.navigation.messageForm(
    user,
    {
      recipients: typed?.pasted ?? typedNumbers(numbers),
      text: typed?.text ?? text,
      withoutAccents: typed?.withoutAccents ?? withoutAccents ?? false,
      route,
      ...senderFields({ route, senderId }),
      timing: 'later',
      destination: { inChannel, channelId },
    },
    { draftId: idempotencyKey(user.workspaceId, requestId), origin, scheduled: { id, version } },
  );
}
