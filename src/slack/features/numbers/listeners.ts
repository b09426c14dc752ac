import { onceEach } from '../../../lib/memoize-async.ts';
import { type DestinationChoice, readDestination } from '../../block-kit/inputs/destination-input.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { notConnectedMessage } from '../../middleware/authorization/not-connected-message.ts';
import { errorMessage, UserError } from '../../middleware/errors.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import type { CommandRequest, Router, User } from '../../middleware/requests.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { cardMessage, channelCard, type LookedUpNumber, numberCardView } from './card-view.ts';
import { type NumberQuery, numberHelp, readNumberCommand, readNumberQuery } from './command.ts';
import {
  lookingUpMessage,
  lookingUpView,
  numberCallback,
  numberFormView,
  numberMetadata,
  numberPlaceAction,
} from './form-view.ts';

interface Result {
  found: LookedUpNumber;
  draftId: string;
  notPosted: Markup | undefined;
}

const rememberedLookUps = 100;

/** `/number`: network, porting, Do-Not-Disturb and the route to use, in one card. */
export function registerNumber(router: Router, { services, notifier, commandPrefix }: AppContext): void {
  const { workspaces, numberLookup: numberLookUp, messages: messaging } = services;
  const once = onceEach<Result>(rememberedLookUps);

  /** Once for a request and what it asks, however often it arrives, so that a channel has it once. */
  function lookUp(
    user: User,
    { number, country }: NumberQuery,
    requestId: string,
    destination?: DestinationChoice,
  ) {
    const { workspaceId, userId } = user;
    return once(JSON.stringify([workspaceId, userId, requestId, number, country, destination]), async () => {
      const found = await numberLookUp.lookUp(workspaceId, number, country);
      if (found.kind === 'not_connected') {
        throw new UserError(keyGone);
      }
      const draftId = idempotencyKey(workspaceId, requestId, 'number', number, country);
      const { senderId } = await workspaces.defaults(workspaceId);
      await messaging.save(workspaceId, draftId, userId, {
        recipients: [number],
        route: found.advice.route,
        text: '',
        ...(senderId === undefined ? {} : { senderId }),
      });
      const notPosted =
        destination?.inChannel && destination.channelId !== undefined
          ? await notifier.post(destination.channelId, channelCard(found, userId, destination.showNumbers))
          : undefined;
      return { found, draftId, notPosted };
    });
  }

  async function handle(call: CommandRequest): Promise<void> {
    const { workspaceId } = call.user;
    if ((await workspaces.connection(workspaceId)) === undefined) {
      await call.reply(notConnectedMessage(call.user, commandPrefix));
      return;
    }
    if (call.text.trim() === '') {
      await call.open(numberFormView('', { inChannel: false, channelId: call.channelId }, call.channelId));
      return;
    }
    const { country } = await workspaces.defaults(workspaceId);
    const read = readNumberCommand(call.text, country);
    if (!read.ok) {
      const fault = 'number' in read.faults ? read.faults.number : read.faults.country;
      await call.reply(errorMessage(mrkdwn`*Nothing was looked up.* ${fault}`));
      return;
    }
    await call.reply(lookingUpMessage(read.asked.number));
    const { found, draftId } = await lookUp(call.user, read.asked, call.requestId);
    await call.reply(cardMessage(found, draftId));
  }

  router.command('number', handle, () => numberHelp(commandPrefix));

  router.action(openActions.numberForm, async ({ open }) => {
    await open(numberFormView('', { inChannel: false }, undefined));
  });

  router.action(numberPlaceAction, async ({ view }) => {
    if (view !== undefined) {
      const { origin } = numberMetadata.parse(view.metadata);
      await view.replace(
        numberFormView(view.values.number?.text ?? '', readDestination(view.values, origin), origin),
      );
    }
  });

  router.submission(numberCallback, async ({ user, requestId, values, metadata }) => {
    const { country: home } = await workspaces.defaults(user.workspaceId);
    const read = readNumberQuery(values.number?.text ?? '', values.country?.text, home);
    if (!read.ok) {
      return { errors: read.faults };
    }
    const destination = readDestination(values, numberMetadata.parse(metadata).origin);
    return {
      view: lookingUpView(read.asked.number),
      background: async () => {
        const { found, draftId, notPosted } = await lookUp(user, read.asked, requestId, destination);
        return numberCardView(found, draftId, notPosted);
      },
    };
  });
}

const keyGone = mrkdwn`This workspace’s provider key was removed meanwhile. Nothing was looked up.`;
