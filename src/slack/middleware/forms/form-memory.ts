import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Log } from '../../../lib/log.ts';
import { workspaceKey } from '../../../lib/workspace-caches.ts';
import type { SavedForms } from '../../../services/workspaces/saved-forms.ts';
import { actions, button, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { type FormValues, formValuesSchema } from '../../block-kit/view-state.ts';
import type { SlackContext } from '../../client/slack-context.ts';
import { UserError } from '../errors.ts';
import type { ActionRequest, User } from '../requests.ts';

/** Returns the values of a view's fields, and of fields that it no longer shows. */
export type RememberFormValues = (
  owner: { workspaceId: string; userId: string },
  viewId: string,
  values: FormValues,
) => Promise<FormValues>;

/**
 * Remembers the values of each view, fields that are hidden now included: where one choice removes fields and
 * another restores them, they keep their values. Where the store fails, the form goes on with the fields that it shows. No
 * view with a key or a code asks for this.
 */
export function createFormMemory(
  forms: Pick<SavedForms, 'change'>,
  log: Pick<Log, 'warn'>,
): RememberFormValues {
  return async (owner, viewId, values) => {
    let merged = values;
    await forms
      .change(owner, `view.${viewId}`, (before) => {
        merged = { ...formValuesSchema.optional().parse(before), ...values };
        return merged;
      })
      .catch((error: unknown) => log.warn({ err: error }, 'the hidden fields of a form could not be stored'));
    return merged;
  };
}

export const openAgainAction = 'form_open_again';

const maxForms = 100;

const modalSchema = z.custom<ModalView>(
  (value) => z.looseObject({ type: z.literal('modal') }).safeParse(value).success,
);

/** Whose form it is. */
type Owner = Pick<User, 'workspaceId' | 'userId'>;

export type ClosedForms = ReturnType<typeof createClosedForms>;

export type SendMessage = (workspaceId: string, userId: string, content: SlackMessage) => Promise<void>;

/** Errors of views that their user has closed, sent as direct messages. The forms are kept for a day. */
export function createClosedForms(
  {
    services: { savedForms },
    caches,
    log,
  }: Pick<SlackContext, 'caches' | 'log'> & { services: { savedForms: SavedForms } },
  send: SendMessage,
) {
  /** In memory as well: a store that fails may be why the form has failed. */
  const latest = new LRUCache<string, ModalView>({ max: maxForms });
  caches.add(latest);
  const nameOf = (id: string) => `closed.${id}`;
  const keyOf = ({ workspaceId, userId }: Owner, id: string) => workspaceKey(workspaceId, userId, id);
  return {
    async notify({ workspaceId, userId }: Owner, view: TitledView, error: Markup): Promise<void> {
      const text = errorText(view, error);
      await send(workspaceId, userId, message(text));
    },

    /** As `notify`, with a button that opens the form as the user filled it in. */
    async offerAgain({ workspaceId, userId }: Owner, form: ModalView, error: Markup): Promise<void> {
      const id = randomUUID();
      latest.set(keyOf({ workspaceId, userId }, id), form);
      await savedForms
        .save({ workspaceId, userId }, nameOf(id), form)
        .catch((error: unknown) =>
          log.warn({ err: error }, 'a form could not be stored, so only this instance has it'),
        );
      const text = errorText(form, error);
      const open = button(openAgainAction, 'Open the form again', { value: id });
      try {
        await send(workspaceId, userId, message(text, [section(text), actions('form_again', open)]));
      } catch (sendError) {
        // Nobody can open it. The workspace may have removed the app, and then nothing of it is kept.
        latest.delete(keyOf({ workspaceId, userId }, id));
        await savedForms.delete({ workspaceId, userId }, nameOf(id));
        throw sendError;
      }
    },

    async openAgain({ user, value, open }: Pick<ActionRequest, 'user' | 'value' | 'open'>): Promise<void> {
      const kept = latest.get(keyOf(user, value)) ?? (await savedForms.find(user, nameOf(value)));
      if (kept === undefined) {
        throw new UserError(mrkdwn`This form has expired. Start again with the command.`);
      }
      await open(modalSchema.parse(kept));
    },
  };
}

type TitledView = Pick<ModalView, 'title'>;

function errorText({ title }: TitledView, error: Markup): Markup {
  return mrkdwn`:warning: *${title.text}*: ${error}`;
}
