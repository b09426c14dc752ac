import type { Button, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { Permission } from '../../domain/access/roles.ts';
import { ifRefused } from '../../services/refusal.ts';
import { actions, context, divider, loadingView, modal, section } from '../block-kit/build.ts';
import {
  type CursorPosition,
  cursorPositionSchema,
  firstCursor,
  firstPosition,
  type Neighbours,
  type PagePosition,
  pagePositionSchema,
  pagingButtons,
} from '../block-kit/paging.ts';
import type { Markup } from '../block-kit/text.ts';
import type { FormValues } from '../block-kit/view-state.ts';
import { unreadText } from '../middleware/explain-refusal.ts';
import { onPaging } from '../middleware/list-buttons.ts';
import type { ActionRequest, ReplaceView, ShowModal } from '../middleware/requests.ts';
import type { Router } from '../middleware/router/router.ts';
import type { Viewer } from '../navigation/navigation.ts';
import { type Fields, type FormOf, fieldSet } from './fields.ts';
import { type FilterOf, type Filters, filterSet } from './filters.ts';

/** How a list is paged: the pages of the provider, or by cursors of ours. */
export interface Paging<Position> {
  schema: z.ZodType<Position>;
  first: Position;
  /** Whether *Newest* leads back to the first. */
  newest: boolean;
}

export const byPage: Paging<PagePosition> = {
  schema: pagePositionSchema,
  first: firstPosition,
  newest: false,
};
export const byCursor: Paging<CursorPosition> = {
  schema: cursorPositionSchema,
  first: firstCursor,
  newest: true,
};

/** Which part of a list is shown: the search, the filters, and the position. */
export interface ListState<F extends Fields, R extends Filters, Meta, Position> {
  form: FormOf<F>;
  filter: FilterOf<R>;
  position: Position;
  meta: Meta;
}

/** What was read, as the list shows it. */
export interface Listed<Position> {
  rows: readonly KnownBlock[];
  /** Stands in place of the rows of an empty list. */
  empty: Markup;
  /** Above the rows. */
  above?: readonly KnownBlock[] | undefined;
  /** Below the rows: the page, or how many there are. */
  about?: Markup | undefined;
  neighbours?: Neighbours<Position> | undefined;
}

export interface ListSpec<F extends Fields, R extends Filters, Meta, Position extends object> {
  /** The id of its callback. The ids of its actions begin with it. */
  id: string;
  title: string;
  needs: Permission;
  /** What is searched by. Each change of a live field, and *Search*, lead to the first page. */
  fields?: F;
  /** The button of the fields; *Search* unless given. */
  submit?: string;
  /** Menus above the rows. */
  filters?: R;
  meta?: z.ZodType<Meta>;
  paging: Paging<Position>;
  /** What is shown at once, where reading takes longer than a trigger lasts. */
  loading?: string;
  /**
   * If it throws a Refusal, the list says why it can't be read.
   *
   * @param progress replaces the view in the meantime; resolves with false if the view was closed
   */
  read(
    user: Viewer,
    state: ListState<F, R, Meta, Position>,
    progress: ReplaceView,
  ): Promise<Listed<Position>>;
  /** Beside *Previous* and *Next*. Shown also where the list could not be read. */
  buttons?(user: Viewer, state: ListState<F, R, Meta, Position>): readonly Button[];
  above?(user: Viewer, state: ListState<F, R, Meta, Position>): readonly KnownBlock[];
  below?(user: Viewer): readonly KnownBlock[];
}

/**
 * Defines a list: its search fields, menus and pages, and what it says if it is empty or can't be read.
 *
 * @example
 * const orders = defineList({
 *   id: 'orders',
 *   title: 'Orders',
 *   needs: 'look_up',
 *   fields: { name: textField('Name', { live: 'enter', optional: true }) },
 *   paging: byPage,
 *   loading: 'Asking the provider…',
 *   async read({ workspaceId }, { form, position }) {
 *     const { records, last } = await find(workspaceId, form.name, position.page);
 *     const neighbours = viewPageOf(records, position, { last });
 *     return { rows: lines(records.map(line)), empty: mrkdwn`No results.`, neighbours };
 *   },
 * });
 * orders.register(router);
 * router.action('orders_open', 'look_up', (call) => orders.show(call.push, call.user, { name: 'Palm' }, undefined));
 */
export function defineList<
  const F extends Fields = Record<never, never>,
  const R extends Filters = Record<never, never>,
  Meta = undefined,
  Position extends object = PagePosition,
>(spec: ListSpec<F, R, Meta, Position>) {
  const { id, title, needs, paging } = spec;
  const { fields, filters, pagingActions, stateOf, view, showState, searched, start } = createListViews(spec);
  type State = ReturnType<typeof start>;

  return {
    view,
    stateOf,
    start,
    showState,

    /** Shows the first page of a search. */
    show: (show: ShowModal, user: Viewer, form: Partial<FormOf<F>>, meta: Meta) =>
      showState(show, user, start(form, meta)),

    register(router: Router): void {
      const replace = ({ user, show }: ActionRequest, state: State) => showState(show, user, state);
      fields.register(router, needs, (call) =>
        replace(call, searched(stateOf(call.view?.metadata), call.view?.values ?? {})),
      );
      for (const name of filters.names) {
        router.action(filters.actionOf(name), needs, (call) => {
          const before = stateOf(call.view?.metadata);
          const filter = filters.changed(before.filter, name, call.value);
          return replace(call, { ...before, filter, position: paging.first });
        });
      }
      if (filters.names.length > 0) {
        router.action(filters.clearAction, needs, (call) =>
          replace(call, {
            ...stateOf(call.view?.metadata),
            filter: filters.read({}),
            position: paging.first,
          }),
        );
      }
      onPaging(router, pagingActions, needs, paging.schema, (call, position) =>
        replace(call, { ...stateOf(call.view?.metadata), position }),
      );
      if (fields.names.length > 0) {
        router.submission(id, needs, async ({ user, values, metadata }) => {
          const state = searched(stateOf(metadata), values);
          return spec.loading === undefined
            ? { view: await view(user, state) }
            : {
                view: loadingView(title, spec.loading),
                background: (progress) => view(user, state, { progress }),
              };
        });
      }
    },
  };
}

/** Builds the views of a list. */
function createListViews<const F extends Fields, const R extends Filters, Meta, Position extends object>(
  spec: ListSpec<F, R, Meta, Position>,
) {
  type State = ListState<F, R, Meta, Position>;
  const { id, title, paging } = spec;
  const fields = fieldSet(id, spec.fields ?? ({} as F));
  const filters = filterSet(id, spec.filters ?? ({} as R));
  const newest = paging.newest ? { newest: `${id}.newest` } : {};
  const pagingActions = { ...newest, previous: `${id}.previous`, next: `${id}.next` };
  const schema = z.object({
    form: z.record(z.string(), z.unknown()),
    filter: z.unknown().optional(),
    position: paging.schema,
    meta: spec.meta ?? z.undefined().optional(),
  });

  /** Returns the state of a view of this list, from its metadata. */
  function stateOf(metadata: unknown): State {
    const { form, filter, position, meta } = schema.parse(metadata);
    return { form: fields.formOf(form), filter: filters.read(filter), position, meta: meta as Meta };
  }

  const render = (user: Viewer, state: State, content: readonly KnownBlock[]): ModalView =>
    modal({
      callbackId: id,
      title,
      metadata: state,
      ...(fields.names.length === 0 ? {} : { submit: spec.submit ?? 'Search' }),
      blocks: [
        ...fields.names.flatMap((name) => fields.blocks(name, state.form)),
        ...filters.blocks(state.filter, user.permissions),
        ...(spec.above?.(user, state) ?? []),
        ...(fields.names.length + filters.names.length === 0 ? [] : [divider()]),
        ...content,
        ...(spec.below?.(user) ?? []),
      ],
    });

  function contentOf(user: Viewer, state: State, read: Listed<Position>): KnownBlock[] {
    const { rows, empty, neighbours = {}, ...shown } = read;
    const buttons = [...pagingButtons(neighbours, pagingActions), ...(spec.buttons?.(user, state) ?? [])];
    return [
      ...(shown.above ?? []),
      ...(rows.length === 0 ? [section(empty)] : rows),
      ...(shown.about === undefined ? [] : [context(shown.about)]),
      ...(buttons.length === 0 ? [] : [actions(`${id}_buttons`, ...buttons)]),
    ];
  }

  /** Returns the current view of the list. `feedback`: the outcome of the last action. */
  async function view(
    user: Viewer,
    state: State,
    { feedback = [], progress = unseen }: { feedback?: readonly KnownBlock[]; progress?: ReplaceView } = {},
  ): Promise<ModalView> {
    const read = await spec.read(user, state, progress).catch(unread);
    return render(user, state, [...feedback, ...contentOf(user, state, read)]);
  }

  async function showState(show: ShowModal, user: Viewer, state: State): Promise<void> {
    if (spec.loading === undefined) {
      await show(await view(user, state));
      return;
    }
    const replace = await show(loadingView(title, spec.loading));
    await replace(await view(user, state, { progress: replace }));
  }

  /** Another search begins at its first page. */
  function searched(before: State, values: FormValues): State {
    const form = fields.read(values, before.form);
    return { ...before, form, position: paging.first };
  }

  const start = (form: Partial<FormOf<F>>, meta: Meta): State => ({
    form: fields.formOf(form),
    filter: filters.read({}),
    position: paging.first,
    meta,
  });

  return { fields, filters, pagingActions, stateOf, view, showState, searched, start };
}

const unseen: ReplaceView = async () => true;

const unread = ifRefused(['not_connected', 'failed'], (reason) => ({ rows: [], empty: unreadText(reason) }));
