import type { KnownBlock, ModalView } from '@slack/types';
import { phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import { readNumberList } from '../../../services/numbers/number-list.ts';
import { notice, section } from '../../block-kit/build.ts';
import {
  type CursorPosition,
  cursorPositionSchema,
  firstCursor,
  nextCursor,
  previousCursor,
} from '../../block-kit/paging/cursor-position.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { requireListAdmin } from '../../middleware/authorization/require-list-admin.ts';
import { UserError } from '../../middleware/errors.ts';
import { pushModal } from '../../middleware/open-modal.ts';
import type { Router, User } from '../../middleware/requests.ts';
import { addRecipientsAction } from '../../navigation/do-not-contact-button.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import {
  addedNews,
  addNumberCallback,
  addNumberView,
  removeCallback,
  removedNews,
  removeView,
} from './form-views.ts';
import { registerSuppressionImport } from './import-listeners.ts';
import {
  listActions,
  numbersPerPage,
  suppressionListCallback,
  suppressionListTitle,
  suppressionListView,
  turnSuppressionList,
} from './list-view.ts';

/** What fits into the field is far fewer. */
const mostPasted = 1_000;

interface Shown {
  trail?: CursorPosition | undefined;
  news?: KnownBlock[] | undefined;
  /** What was typed to be looked up. */
  typed?: string | undefined;
}

/** The list as it is now, with what was just done or looked up. */
export function createSuppressionListView({ services }: Pick<AppContext, 'services'>) {
  const { suppressionList: doNotContact, workspaces } = services;

  async function answerTo(workspaceId: string, typed: string) {
    const text = typed.trim();
    if (text === '') {
      return undefined;
    }
    const { country } = await workspaces.defaults(workspaceId);
    const read = readNumber(text, country);
    if (!read.ok) {
      return { ok: false, fault: `“${text}” ${read.reason}.` } as const;
    }
    const { number } = read;
    const isListed = (await doNotContact.filterListed(workspaceId, [number])).length > 0;
    return { ok: true, number, isListed } as const;
  }

  return async (
    viewer: Viewer,
    { trail = firstCursor, news, typed = '' }: Shown = {},
  ): Promise<ModalView> => {
    const { workspaceId, role } = viewer;
    const [count, page, answer] = await Promise.all([
      doNotContact.count(workspaceId),
      doNotContact.page(workspaceId, { after: trail.after || undefined, limit: numbersPerPage }),
      answerTo(workspaceId, typed),
    ]);
    return suppressionListView({ count, page, trail, isAdmin: role === 'admin', news, answer });
  };
}

/** The list of those who want no messages: everyone who may send may add, admins take off and import. */
export function registerSuppressionList(router: Router, context: AppContext): void {
  const { suppressionList: doNotContact, messages: messaging, workspaces } = context.services;
  const view = createSuppressionListView(context);

  router.action(openActions.suppressionList, async ({ user, open }) => {
    await open(await view(user));
  });

  const steps: Record<string, (trail: CursorPosition, value: string) => CursorPosition> = {
    [turnSuppressionList.newest]: () => firstCursor,
    [turnSuppressionList.previous]: previousCursor,
    [turnSuppressionList.next]: nextCursor,
  };
  for (const [actionId, step] of Object.entries(steps)) {
    router.action(actionId, async (call) => {
      const trail = step(cursorPositionSchema.parse(call.view?.metadata), call.value);
      await call.view?.replace(await view(call.user, { trail }));
    });
  }

  router.action(listActions.search, async ({ user, value, view: from }) => {
    const trail = cursorPositionSchema.parse(from?.metadata);
    await from?.replace(await view(user, { trail, typed: value }));
  });

  router.submission(suppressionListCallback, async ({ user, values, metadata }) => {
    const trail = cursorPositionSchema.parse(metadata);
    return { view: await view(user, { trail, typed: values.number?.text }) };
  });

  router.action(listActions.addThis, async ({ user, value, view: from }) => {
    const added = await doNotContact.add({ ...user, numbers: [phoneNumberSchema.parse(value)] });
    await from?.replace(await view(user, { news: [section(addedNews(added))] }));
  });

  router.action(listActions.removeThis, async ({ user, value, view: from }) => {
    requireListAdmin(user);
    const removed = await doNotContact.remove(user.workspaceId, [phoneNumberSchema.parse(value)]);
    const trail = cursorPositionSchema.parse(from?.metadata);
    await from?.replace(await view(user, { trail, news: [section(removedNews(removed, 1))] }));
  });

  router.action(listActions.add, async ({ view: from }) => {
    await from?.replace(addNumberView());
  });

  router.action(listActions.remove, async ({ user, view: from }) => {
    requireListAdmin(user);
    await from?.replace(removeView());
  });

  async function pasted({ workspaceId }: User, values: FormValues) {
    const { country } = await workspaces.defaults(workspaceId);
    return readNumberList({ typed: values.numbers?.text ?? '' }, { country, most: mostPasted });
  }

  router.submission(addNumberCallback, async ({ user, values }) => {
    const read = await pasted(user, values);
    if (!read.ok) {
      return { errors: read.faults };
    }
    const added = await doNotContact.add({ ...user, numbers: read.list.numbers });
    return { view: await view(user, { news: [section(addedNews(added))] }) };
  });

  router.submission(removeCallback, async ({ user, values }) => {
    requireListAdmin(user);
    const read = await pasted(user, values);
    if (!read.ok) {
      return { errors: read.faults };
    }
    const { numbers } = read.list;
    const removed = await doNotContact.remove(user.workspaceId, numbers);
    return { view: await view(user, { news: [section(removedNews(removed, numbers.length))] }) };
  });

  router.action(addRecipientsAction, async (call) => {
    const { draft } = await messaging.find(call.user.workspaceId, call.value, call.user.userId);
    if (draft === undefined) {
      throw new UserError(
        mrkdwn`This lies more than a day back, and the number is no longer known here. Add it with *Add numbers*, in the do-not-contact list.`,
      );
    }
    const added = await doNotContact.add({ ...call.user, numbers: draft.content.recipients });
    await pushModal(call)(notice(suppressionListTitle, section(addedNews(added))));
  });

  registerSuppressionImport(router, context, view);
}
