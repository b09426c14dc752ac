import type { ModalView } from '@slack/types';
import type { AppContext } from '../../middleware/app-context.ts';
import type { ReplaceView, User } from '../../middleware/requests.ts';
import { showProgress } from '../../notifier/progress.ts';
import type { ListPosition } from './list-position.ts';
import { type ContactsContent, contactListView, searchingView } from './list-view.ts';
import { noPhonebooksView } from './phonebooks/views.ts';

/** How many more contacts are searched at each update of the progress. */
const progressStep = 500;

/**
 * Creates the function that fetches the contacts at a list position, or searches them, and returns their view. It uses
 * `show` for the progress of a search, which ends early once nobody sees that.
 */
export function createContactsView({ services, stopping }: AppContext) {
  const { contacts, phonebooks, suppressionList } = services;

  async function search(
    { workspaceId }: User,
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

  return async (user: User, position: ListPosition, show: ReplaceView): Promise<ModalView> => {
    const { workspaceId, permissions } = user;
    const [list, named] = await Promise.all([
      position.search === '' ? contacts.list(workspaceId, position) : search(user, position, show),
      phonebooks.list(workspaceId),
    ]);
    if (named.length === 0) {
      return noPhonebooksView();
    }
    const numbers = 'contacts' in list ? list.contacts.flatMap(({ number }) => number ?? []) : [];
    const suppressed = new Set(await suppressionList.filterListed(workspaceId, numbers));
    return contactListView({ list, suppressed, phonebooks: named, permissions }, position);
  };
}
