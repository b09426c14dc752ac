import { notice, section } from '../../block-kit/build.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { cardActions, cardMessage, numberCardView } from './card-view.ts';
import { numberTitle } from './form-view.ts';
import type { Lookups } from './look-up.ts';

/** The buttons of a card, except *Send SMS*. The value of each is the draft with the number. */
export function registerNumberCard(
  router: Router,
  { services, navigation }: AppContext,
  { recall }: Pick<Lookups, 'recall'>,
): void {
  const { messages, suppressionList } = services;

  async function findNumbers({ user, value }: ActionRequest) {
    const { draft } = await messages.find(user.workspaceId, value, user.userId);
    if (draft === undefined) {
      throw new UserError(mrkdwn`This result is too old. Look up the number again.`);
    }
    return draft.content.recipients;
  }

  /** Shows the card as it is now, in place; where the lookup is no longer known, `done` in a modal. */
  async function showCard(call: ActionRequest, done: Markup): Promise<void> {
    const card = await recall(call.user, call.value);
    if (card === undefined) {
      await call.push(notice(numberTitle, section(done)));
    } else if (call.view === undefined) {
      await call.replaceMessage(cardMessage(card));
    } else {
      await call.view.replace(numberCardView(card));
    }
  }

  router.action(cardActions.doNotContact, 'use', async (call) => {
    const numbers = await findNumbers(call);
    await suppressionList.add({ ...call.user, numbers, source: { kind: 'lookup' } });
    await showCard(call, mrkdwn`The number is on the do-not-contact list.`);
  });

  router.action(cardActions.remove, 'administer', async (call) => {
    await suppressionList.remove(call.user.workspaceId, await findNumbers(call));
    await showCard(call, mrkdwn`The number is no longer on the do-not-contact list.`);
  });

  router.action(cardActions.history, 'look_up', async (call) => {
    const [number = ''] = await findNumbers(call);
    await call.push(await navigation.history(call.user, { typed: number }));
  });
}
