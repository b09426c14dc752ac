import type { KnownBlock, ModalView } from '@slack/types';
import { phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import { readNumberList } from '../../../services/numbers/number-list.ts';
import { notice, section } from '../../block-kit/build.ts';
import { rejectedRowsBlocks } from '../../block-kit/descriptions/rejected-rows.ts';
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
import { UserError } from '../../middleware/errors.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { addRecipientsAction } from '../../navigation/do-not-contact-button.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { registerSuppressionExport } from './export-listeners.ts';
import {
  addedBanner,
  addNumberCallback,
  addNumberView,
  removeCallback,
  removedBanner,
  removeView,
} from './form-views.ts';
import { registerSuppressionImport } from './import-listeners.ts';
import {
  numbersPerPage,
  suppressionListActions,
  suppressionListCallback,
  suppressionListPagingActions,
  suppressionListTitle,
  suppressionListView,
} from './list-view.ts';

/** More than fit into the field. */
const maxPasted = 1_000;

interface ListState {
  trail?: CursorPosition | undefined;
  banner?: KnownBlock[] | undefined;
  /** The text to look up. */
  typed?: string | undefined;
}

/** Creates the function that returns the current list, with what was just done or looked up. */
export function createSuppressionListView({ services }: Pick<AppContext, 'services'>) {
  const { suppressionList, workspaces } = services;

  async function lookUp(workspaceId: string, typed: string) {
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
    const listed = (await suppressionList.find(workspaceId, [number])).get(number);
    return { ok: true, number, listed } as const;
  }

  return async (
    viewer: Viewer,
    { trail = firstCursor, banner, typed = '' }: ListState = {},
  ): Promise<ModalView> => {
    const { workspaceId, permissions } = viewer;
    const [count, page, lookup] = await Promise.all([
      suppressionList.count(workspaceId),
      suppressionList.page(workspaceId, { after: trail.after || undefined, limit: numbersPerPage }),
      lookUp(workspaceId, typed),
    ]);
    const isAdmin = permissions.has('administer');
    return suppressionListView({ count, page, trail, isAdmin, banner, lookup });
  };
}

/** The opted-out numbers: every user may add, only admins may remove, import and export. */
export function registerSuppressionList(router: Router, context: AppContext): void {
  const view = createSuppressionListView(context);

  router.action(openActions.suppressionList, 'look_up', async ({ user, open }) => {
    await open(await view(user));
  });

  const steps: Record<string, (trail: CursorPosition, value: string) => CursorPosition> = {
    [suppressionListPagingActions.newest]: () => firstCursor,
    [suppressionListPagingActions.previous]: previousCursor,
    [suppressionListPagingActions.next]: nextCursor,
  };
  for (const [actionId, step] of Object.entries(steps)) {
    router.action(actionId, 'look_up', async (call) => {
      const trail = step(cursorPositionSchema.parse(call.view?.metadata), call.value);
      await call.view?.replace(await view(call.user, { trail }));
    });
  }

  router.action(suppressionListActions.search, 'look_up', async ({ user, value, view: listView }) => {
    const trail = cursorPositionSchema.parse(listView?.metadata);
    await listView?.replace(await view(user, { trail, typed: value }));
  });

  router.submission(suppressionListCallback, 'look_up', async ({ user, values, metadata }) => {
    const trail = cursorPositionSchema.parse(metadata);
    return { view: await view(user, { trail, typed: values.number?.text }) };
  });

  registerChanges(router, context, view);
  registerSuppressionImport(router, context, view);
  registerSuppressionExport(router, context);
}

/** Additions and removals, of one number or of pasted ones. */
function registerChanges(
  router: Router,
  { services }: AppContext,
  view: ReturnType<typeof createSuppressionListView>,
): void {
  const { suppressionList, messages, workspaces } = services;

  router.action(suppressionListActions.addThis, 'use', async ({ user, value, view: listView }) => {
    const added = await suppressionList.add({
      ...user,
      numbers: [phoneNumberSchema.parse(value)],
      source: { kind: 'typed' },
    });
    await listView?.replace(await view(user, { banner: [section(addedBanner(added))] }));
  });

  router.action(suppressionListActions.removeThis, 'administer', async ({ user, value, view: listView }) => {
    const removed = await suppressionList.remove(user.workspaceId, [phoneNumberSchema.parse(value)]);
    const trail = cursorPositionSchema.parse(listView?.metadata);
    await listView?.replace(await view(user, { trail, banner: [section(removedBanner(removed, 1))] }));
  });

  router.action(suppressionListActions.add, 'use', async ({ view: listView }) => {
    await listView?.replace(addNumberView());
  });

  router.action(suppressionListActions.remove, 'administer', async ({ view: listView }) => {
    await listView?.replace(removeView());
  });

  async function readPasted({ workspaceId }: User, values: FormValues) {
    const { country } = await workspaces.defaults(workspaceId);
    return readNumberList({ typed: values.numbers?.text ?? '' }, { country, max: maxPasted });
  }

  router.submission(addNumberCallback, 'use', async ({ user, values }) => {
    const read = await readPasted(user, values);
    if (!read.ok) {
      return { errors: read.faults };
    }
    const { numbers, rejected } = read.list;
    const added = await suppressionList.add({ ...user, numbers, source: { kind: 'typed' } });
    const banner = [section(addedBanner(added)), ...rejectedRowsBlocks(rejected)];
    return { view: await view(user, { banner }) };
  });

  router.submission(removeCallback, 'administer', async ({ user, values }) => {
    const read = await readPasted(user, values);
    if (!read.ok) {
      return { errors: read.faults };
    }
    const { numbers, rejected } = read.list;
    const removed = await suppressionList.remove(user.workspaceId, numbers);
    const banner = [section(removedBanner(removed, numbers.length)), ...rejectedRowsBlocks(rejected)];
    return { view: await view(user, { banner }) };
  });

  router.action(addRecipientsAction, 'use', async (call) => {
    const { draft } = await messages.find(call.user.workspaceId, call.value, call.user.userId);
    if (draft === undefined) {
      throw new UserError(
        mrkdwn`This message is too old. Add the number with *Add numbers* in the do-not-contact list.`,
      );
    }
    const { recipients: numbers } = draft.content;
    const added = await suppressionList.add({ ...call.user, numbers, source: { kind: 'message' } });
    await call.push(notice(suppressionListTitle, section(addedBanner(added))));
  });
}
