import { type WatchKind, watchKinds } from '../../../domain/watch/watch.ts';
import { maxAmount, readWatchSettings, usualDigestHour } from '../../../services/watch/watch-settings.ts';
import { formatHour, formatMoney } from '../../block-kit/plural.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { channelField, choiceField, textField, tickField, ticksField } from '../../kit/fields.ts';
import { defineSettings } from '../../kit/settings.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { muteActions } from './notices.ts';

const kindTitles: Readonly<Record<WatchKind, string>> = {
  balance: 'The balance is low',
  provider: 'The provider is down',
  route: 'Messages on a route fail',
  campaign: 'A campaign needs someone',
  reply: 'A reply has waited over an hour',
  sender_id: 'A sender ID is approved or declined',
  esim: 'An eSIM is almost out of data or time',
};

const hours = Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [String(hour), formatHour(hour)]));

/** *Alerts*: the channel and kinds of alerts, and the buttons to mute them. */
export function registerWatchers(router: Router, context: AppContext): void {
  const { watchers, dialect } = context.services;
  const { settings } = watchers;
  const isOn = ({ isOn: on }: { isOn: boolean }) => on;

  defineSettings(context, {
    id: 'watchers',
    opens: openActions.watchers,
    title: 'Alerts',
    change: { action: 'settings.change', subject: 'watchers' },
    fields: {
      isOn: tickField('Alerts', 'Post alerts to a channel', { live: true }),
      channelId: channelField('alert'),
      hour: choiceField('Digest at', hours, { first: usualDigestHour, hint: 'Your local time' }),
      kinds: ticksField('Alert when', kindTitles, { live: true }),
      below: textField('Balance below', {
        max: maxAmount,
        hint: dialect.currency === undefined ? 'In the account’s currency.' : `In ${dialect.currency}.`,
      }),
    },
    load: async (workspaceId) => ({ saved: await settings.read(workspaceId) }),
    first: ({ saved }) => ({
      isOn: saved !== undefined,
      channelId: saved?.channelId,
      hour: saved === undefined ? usualDigestHour : String(saved.hour),
      kinds: watchKinds.filter((kind) => saved?.off.includes(kind) !== true),
      below: saved?.below === undefined ? '' : formatMoney(saved.below),
    }),
    when: {
      channelId: isOn,
      hour: isOn,
      kinds: isOn,
      below: (form) => form.isOn && form.kinds.includes('balance'),
    },
    notes: {
      hour: () =>
        mrkdwn`Alerts post right away. The digest lists open alerts and the last 24 hours’ changes. Empty days are skipped.`,
      below: () => mrkdwn`An alert is posted once, and again only after the balance has recovered.`,
    },
    async save({ workspaceId, userId }, form) {
      if (!form.isOn) {
        await settings.remove(workspaceId, userId);
        return undefined;
      }
      const read = readWatchSettings(form);
      if (!read.ok) {
        return read.faults;
      }
      const { zone } = await context.people.find(workspaceId, userId);
      await settings.save(workspaceId, { ...read.settings, setBy: userId, zone });
      return undefined;
    },
  }).register(router);

  for (const [action, isMuted] of [
    [muteActions.mute, true],
    [muteActions.unmute, false],
  ] as const) {
    router.action(action, 'administer', async ({ user, value }) => {
      if ((await watchers.mute(user, value, isMuted)) === undefined) {
        throw new UserError(mrkdwn`This alert is resolved or turned off. Nothing was changed.`);
      }
    });
  }
}
