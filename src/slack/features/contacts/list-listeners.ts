import type { ModalView } from '@slack/types';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import { loadingView } from '../../block-kit/build.ts';
import { pagePositionSchema } from '../../block-kit/paging.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { onPaging } from '../../middleware/list-buttons.ts';
import { notConnectedText } from '../../middleware/not-performed.ts';
import type { ActionRequest, ReplaceView, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { showProgress } from '../../notifier/progress.ts';
import { sendToOneAction } from './contact.ts';
import {
  backAction,
  type ContactsContent,
  contactListCallback,
  contactListView,
  contactPagingActions,
  type ListPosition,
  listPositionSchema,
  loadingContacts,
  numbersOf,
  phonebookAction,
  readListPosition,
  searchContactsAction,
  searchingView,
  sendToAllAction,
  sendToPageAction,
  startOfList,
} from './list-view.ts';
import { noPhonebooksView } from './phonebooks.ts';

/** The list of contacts, and the forms of messages to them. */
export function registerContactList(router: Router, context: AppContext): void {
  const { phonebooks } = context.services;

  router.action(openActions.contacts, 'look_up', async ({ user, show }) => {
    const replace = await show(loadingContacts());
    const [first] = await phonebooks.list(user.workspaceId);
    await replace(
      first === undefined
        ? noPhonebooksView()
        : await contactsAt(context, user, startOfList(first.id), replace),
    );
  });

  const showAt = async ({ user, view }: ActionRequest, page?: number) => {
    if (view !== undefined) {
      const position = readListPosition(view.values, listPositionSchema.parse(view.metadata), page);
      await view.replace(await contactsAt(context, user, position, view.replace));
    }
  };
  for (const actionId of [phonebookAction, searchContactsAction]) {
    router.action(actionId, 'look_up', (call) => showAt(call));
  }
  onPaging(router, contactPagingActions, 'look_up', pagePositionSchema, (call, { page }) =>
    showAt(call, page),
  );

  router.submission(contactListCallback, 'look_up', async ({ user, values, metadata }) => {
    const position = readListPosition(values, listPositionSchema.parse(metadata));
    return { view: loadingContacts(), background: (show) => contactsAt(context, user, position, show) };
  });

  router.action(backAction, 'look_up', async ({ user, view }) => {
    if (view !== undefined) {
      const position = listPositionSchema.parse(view.metadata);
      await view.replace(loadingContacts());
      await view.replace(await contactsAt(context, user, position, view.replace));
    }
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

/** How many more contacts are searched at each update of the progress. */
const progressStep = 500;

/**
 * Fetches the contacts at a list position, or searches them, and returns their view. It uses `show` for the progress of a
 * search, which ends early once nobody sees that.
 */
export async function contactsAt(
  context: AppContext,
  user: User,
  position: ListPosition,
  show: ReplaceView,
): Promise<ModalView> {
  const { contacts, phonebooks, suppressionList } = context.services;
  const { workspaceId, permissions } = user;
  const [list, named] = await Promise.all([
    position.search === ''
      ? contacts.list(workspaceId, position)
      : search(context, workspaceId, position, show),
    phonebooks.list(workspaceId),
  ]);
  if (named.length === 0) {
    return noPhonebooksView();
  }
  const numbers = 'contacts' in list ? list.contacts.flatMap(({ number }) => number ?? []) : [];
  const suppressed = new Set(await suppressionList.filterListed(workspaceId, numbers));
  return contactListView({ list, suppressed, phonebooks: named, permissions }, position);
}

async function search(
  { services: { contacts }, stopping }: AppContext,
  workspaceId: string,
  position: ListPosition,
  show: ReplaceView,
): Promise<ContactsContent['list']> {
  const unseen = new AbortController();
  let total: number | undefined;
  const showSearched = async (searched: number) => {
    if (!(await show(searchingView(searched, total)))) {
      unseen.abort();
    }
  };
  const progress = showProgress(showSearched, progressStep, Number.POSITIVE_INFINITY);
  return contacts
    .search(workspaceId, position, {
      signal: AbortSignal.any([stopping, unseen.signal]),
      progress(searched, of) {
        total = of;
        progress.report(searched);
      },
    })
    .finally(progress.settled);
}
