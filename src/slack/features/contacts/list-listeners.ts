import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { notConnectedText } from '../../middleware/not-performed.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { contactCardView, noCardView, sendToOneAction } from './card-view.ts';
import { createContactsView } from './contacts-view.ts';
import { backAction, type ListPosition, listPositionSchema, startOfList } from './list-position.ts';
import {
  cardAction,
  cardValueSchema,
  contactListCallback,
  loadingContacts,
  nextContactsAction,
  numbersOf,
  phonebookAction,
  previousContactsAction,
  readListPosition,
  searchContactsAction,
  sendToAllAction,
  sendToPageAction,
} from './list-view.ts';
import { noPhonebooksView } from './phonebooks/views.ts';

/** The list of contacts, the card of each, and the forms of messages to them. */
export function registerContactList(router: Router, context: AppContext): void {
  const { contacts, phonebooks, suppressionList, contactDeletion } = context.services;
  const contactsView = createContactsView(context);

  router.action(openActions.contacts, 'look_up', async ({ user, show }) => {
    const replace = await show(loadingContacts());
    const [first] = await phonebooks.list(user.workspaceId);
    await replace(
      first === undefined ? noPhonebooksView() : await contactsView(user, startOfList(first.id), replace),
    );
  });

  for (const [actionId, step] of [
    [phonebookAction, 0],
    [searchContactsAction, 0],
    [previousContactsAction, -1],
    [nextContactsAction, 1],
  ] as const) {
    router.action(actionId, 'look_up', async ({ user, view }) => {
      if (view !== undefined) {
        const position = readListPosition(view.values, listPositionSchema.parse(view.metadata), step);
        await view.replace(await contactsView(user, position, view.replace));
      }
    });
  }

  router.submission(contactListCallback, 'look_up', async ({ user, values, metadata }) => {
    const position = readListPosition(values, listPositionSchema.parse(metadata));
    return { view: loadingContacts(), background: (show) => contactsView(user, position, show) };
  });

  router.action(backAction, 'look_up', async ({ user, view }) => {
    if (view !== undefined) {
      const position = listPositionSchema.parse(view.metadata);
      await view.replace(loadingContacts());
      await view.replace(await contactsView(user, position, view.replace));
    }
  });

  router.action(cardAction, 'look_up', async ({ user, value, requestId, view }) => {
    const { workspaceId } = user;
    const position = listPositionSchema.parse(view?.metadata);
    const { id, page } = cardValueSchema.parse(JSON.parse(value));
    await view?.replace(loadingContacts());
    const list = await contacts.list(workspaceId, { phonebookId: position.phonebookId, page });
    const contact = list.kind === 'listed' ? list.contacts.find((one) => one.id === id) : undefined;
    if (contact === undefined) {
      const problem = list.kind === 'failed' ? list.error.message : undefined;
      await view?.replace(noCardView(position, problem));
      return;
    }
    const { number } = contact;
    const listed =
      number === undefined ? undefined : (await suppressionList.find(workspaceId, [number])).get(number);
    const key = idempotencyKey(workspaceId, requestId);
    const { permissions } = user;
    await view?.replace(
      contactCardView(contact, { position, key, deletable: contactDeletion, permissions, listed }),
    );
  });
  registerMessagesToContacts(router, context);
}

/** The forms of messages to one contact, to those found on the page, and to the whole phonebook. */
function registerMessagesToContacts(router: Router, { services, navigation }: AppContext): void {
  const { contacts } = services;

  async function form(
    user: User,
    requestId: string,
    { origin }: ListPosition,
    recipients: readonly PhoneNumber[],
  ) {
    return navigation.messageForm(
      user,
      { recipients: recipients.join('\n') },
      { draftId: idempotencyKey(user.workspaceId, requestId), origin },
    );
  }

  router.action(sendToOneAction, 'send', async ({ user, value, requestId, view, push }) => {
    const number = phoneNumberSchema.parse(value);
    await push(await form(user, requestId, listPositionSchema.parse(view?.metadata), [number]));
  });

  router.action(sendToAllAction, 'campaign', async ({ user, requestId, view, push }) => {
    const { phonebookId, origin } = listPositionSchema.parse(view?.metadata);
    await push(await navigation.campaignForm(user, { requestId, origin, phonebookId }));
  });

  router.action(sendToPageAction, 'send', async ({ user, requestId, view, push }) => {
    const position = listPositionSchema.parse(view?.metadata);
    const replace = await push(loadingView('Send an SMS', 'Loading contacts…'));
    const list = await (position.search === ''
      ? contacts.list(user.workspaceId, position)
      : contacts.search(user.workspaceId, position));
    if (!('contacts' in list)) {
      throw new UserError(list.kind === 'failed' ? mrkdwn`${list.error.message}` : notConnectedText());
    }
    const numbers = numbersOf(list.contacts);
    await replace(await form(user, requestId, position, numbers));
  });
}
