import type { ModalView } from '@slack/types';
import type { AuditAction } from '../../services/audit/audit-service.ts';
import type { AuditEntry } from '../../store/audit/audit-trail.ts';
import { context } from '../block-kit/build.ts';
import { stateIcons } from '../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../block-kit/text.ts';
import type { AppContext } from '../middleware/app-context.ts';
import type { User } from '../middleware/requests.ts';
import type { Router } from '../middleware/router/router.ts';
import type { Faults, Fields, FormOf } from './fields.ts';
import { defineForm, type FormSpec } from './form.ts';

/** What was read for a screen of settings, with the newest entry of the audit that changed them. */
type Loaded<Data> = Data & { lastChange: AuditEntry | undefined };

export interface SettingsSpec<F extends Fields, Data extends object>
  extends Omit<
    FormSpec<F, undefined, Data>,
    'meta' | 'load' | 'first' | 'needs' | 'submit' | 'close' | 'submitted' | 'closed'
  > {
  /** The action of the button that opens it. */
  opens: string;
  /** What the audit says of a change. The newest such entry tells who changed the settings, and when. */
  change: { action: AuditAction; subject?: string };
  load(workspaceId: string): Promise<Data>;
  first(data: Data): Partial<FormOf<F>>;
  /** Saves the settings and has the change in the audit, or returns the faults of the form. */
  save(user: User, form: FormOf<F>): Promise<Faults<F> | undefined>;
  /** The page whose button opens the form in its place, shown again with `feedback` once the settings are saved. */
  page?: ((user: User, feedback: Markup) => Promise<ModalView>) | undefined;
  /** What is shown in place of the form, where the settings have no effect. */
  instead?: ModalView | undefined;
}

/**
 * Defines a form of settings, for admins, with one *Save*: it opens with the saved values, confirms a save, and
 * says who changed them last. Links to other pages are on a page without fields.
 *
 * @example
 * const alert = defineSettings(context, {
 *   id: 'alert',
 *   opens: 'alert_open',
 *   title: 'Alert',
 *   change: { action: 'settings.change', subject: 'alert' },
 *   fields: { below: textField('Below', { max: 12 }) },
 *   load: (workspaceId) => alerts.read(workspaceId),
 *   first: ({ below }) => ({ below: String(below) }),
 *   async save({ workspaceId, userId }, { below }) {
 *     if (!/^\d{1,9}$/.test(below)) {
 *       return { below: 'Type a number.' };
 *     }
 *     await alerts.save(workspaceId, userId, Number(below));
 *     return undefined;
 *   },
 * });
 * alert.register(router);
 */
export function defineSettings<const F extends Fields, Data extends object>(
  { services: { audit }, navigation }: AppContext,
  { opens, change, load, save, page, instead, below, ...spec }: SettingsSpec<F, Data>,
) {
  const form = defineForm<F, undefined, Loaded<Data>>({
    ...spec,
    needs: 'administer',
    submit: 'Save',
    close: 'Close',
    async load({ workspaceId }) {
      const newest = { workspaceId, actions: [change.action], subject: change.subject, limit: 1 };
      const [data, { entries }] = await Promise.all([load(workspaceId), audit.page(newest)]);
      return { ...data, lastChange: entries[0] };
    },
    below(shown) {
      const { lastChange } = shown.data;
      const { userId, at } = lastChange ?? {};
      return [
        ...(below?.(shown) ?? []),
        ...(userId === undefined || at === undefined
          ? []
          : [context(mrkdwn`Changed by ${userMention(userId)}, ${timeFor(at)}`)]),
      ];
    },
    async submitted({ user, form: entered }) {
      const faults = await save(user, entered);
      if (faults !== undefined) {
        return { faults };
      }
      const background = () => navigation.refreshHome(user);
      return page === undefined
        ? { feedback: saved, background }
        : { view: await page(user, saved), background };
    },
  });

  return {
    register(router: Router): void {
      form.register(router);
      router.action(opens, 'administer', async ({ user, push, show }) => {
        await (page === undefined ? push : show)(instead ?? (await form.view(user, undefined)));
      });
    },
  };
}

/** What a screen says at its top once it is saved. */
export const saved = mrkdwn`${stateIcons.done} Saved.`;
