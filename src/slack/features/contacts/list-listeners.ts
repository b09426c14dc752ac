import type { ModalView } from '@slack/types';
import type { PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import { searchContacts } from '../../../services/contacts/contacts.ts';
import { notice, section } from '../../block-kit/build.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { Asker, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal } from '../../middleware/errors.ts';
import { requestKey } from '../../middleware/idempotency-key.ts';
import { backAction, openContactsAction } from '../../navigation/contacts.ts';
import { createOpenForm } from '../campaigns/open-form.ts';
import { composeView } from '../messages/compose-view.ts';
import { cardView, noCardView, sendToOneAction } from './card-view.ts';
import {
  cardAction,
  listCallback,
  listView,
  loadingContacts,
  nextAction,
  numbersOf,
  phonebookAction,
  previousAction,
  readPlace,
  searchAction,
  sendToAllAction,
  sendToPageAction,
} from './list-view.ts';
import { noPhonebooksView } from './phonebook-views.ts';
import { beginning, type Place, placeSchema } from './place.ts';

/** The list of the contacts at a place, as the provider gives them now. */
export function createContactsView({ services }: Tools) {
  return async ({ workspaceId, role }: Asker, place: Place): Promise<ModalView> => {
    const [list, phonebooks] = await Promise.all([
      services.contacts.list(workspaceId, place),
      services.phonebooks.list(workspaceId),
    ]);
    return phonebooks.length === 0
      ? noPhonebooksView()
      : listView(list, place, { phonebooks, isAdmin: role === 'admin' });
  };
}

/** The list, what is known of each contact, and the way to a message. */
export function listenToList(listening: Listening, tools: Tools): void {
  const { contacts, phonebooks, workspaces, contactDeletion } = tools.services;
  const contactsView = createContactsView(tools);
  const openBulkForm = createOpenForm(tools);

  listening.action(openContactsAction, async ({ asker, view, open }) => {
    const loading = loadingContacts();
    const replace = view?.replace ?? (await open(loading));
    await view?.replace(loading);
    const [first] = await phonebooks.list(asker.workspaceId);
    await replace(first === undefined ? noPhonebooksView() : await contactsView(asker, beginning(first.id)));
  });

  for (const [actionId, step] of [
    [phonebookAction, 0],
    [searchAction, 0],
    [previousAction, -1],
    [nextAction, 1],
  ] as const) {
    listening.action(actionId, async ({ asker, view }) => {
      if (view !== undefined) {
        const place = readPlace(view.values, placeSchema.parse(view.metadata), step);
        await view.replace(await contactsView(asker, place));
      }
    });
  }

  listening.submission(listCallback, async ({ asker, values, metadata }) => {
    const place = readPlace(values, placeSchema.parse(metadata));
    return { view: loadingContacts(), afterwards: () => contactsView(asker, place) };
  });

  listening.action(backAction, async ({ asker, view }) => {
    const place = placeSchema.parse(view?.metadata);
    await view?.replace(loadingContacts());
    await view?.replace(await contactsView(asker, place));
  });

  listening.action(cardAction, async ({ asker, value, requestId, view }) => {
    const place = placeSchema.parse(view?.metadata);
    await view?.replace(loadingContacts());
    const list = await contacts.list(asker.workspaceId, place);
    const contact = list.kind === 'listed' ? list.contacts.find(({ id }) => id === value) : undefined;
    const key = requestKey(asker.workspaceId, requestId);
    await view?.replace(
      contact === undefined
        ? noCardView(place, list.kind === 'failed' ? list.error.message : undefined)
        : cardView(contact, { place, key, deletable: contactDeletion }),
    );
  });

  async function form(
    { workspaceId }: Asker,
    requestId: string,
    { origin }: Place,
    recipients: readonly PhoneNumber[],
  ) {
    const { senderId, route } = await workspaces.defaults(workspaceId);
    return composeView(
      {
        recipients: recipients.join('\n'),
        senderId,
        device: senderId,
        route,
        text: '',
        place: { inChannel: false, channelId: origin },
      },
      { draftId: requestKey(workspaceId, requestId), ...(origin === undefined ? {} : { origin }) },
    );
  }

  listening.action(sendToOneAction, async ({ asker, value, requestId, view, push }) => {
    const number = phoneNumberSchema.parse(value);
    await push(await form(asker, requestId, placeSchema.parse(view?.metadata), [number]));
  });

  listening.action(sendToAllAction, async ({ asker, requestId, view, push }) => {
    const { phonebookId, origin } = placeSchema.parse(view?.metadata);
    await push(await openBulkForm(asker, { requestId, origin, phonebookId }));
  });

  listening.action(sendToPageAction, async ({ asker, requestId, view, push }) => {
    const place = placeSchema.parse(view?.metadata);
    const replace = await push(
      notice('Send an SMS', section(mrkdwn`:hourglass_flowing_sand: Getting the contacts…`)),
    );
    const list = await contacts.list(asker.workspaceId, place);
    if (list.kind !== 'listed') {
      throw new Refusal(
        list.kind === 'failed' ? mrkdwn`${list.error.message}` : mrkdwn`No provider key is connected.`,
      );
    }
    const numbers = numbersOf(searchContacts(list.contacts, place.search));
    await replace(await form(asker, requestId, place, numbers));
  });
}
