import type { KnownBlock, ModalView } from '@slack/types';
import { type ReportSettings, reportsPath } from '../../services/reports/reports.ts';
import {
  actions,
  banner,
  button,
  confirmDialog,
  context,
  notice,
  present,
  section,
} from '../block-kit/build.ts';
import { stateIcons } from '../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor } from '../block-kit/text.ts';
import { textField } from '../kit/fields.ts';
import { defineForm } from '../kit/form.ts';
import { saved } from '../kit/settings.ts';
import type { AppContext } from '../middleware/app-context.ts';
import type { User } from '../middleware/requests.ts';
import type { Router } from '../middleware/router/router.ts';
import { openActions } from '../navigation/open-actions.ts';

const createAddressAction = 'reports_address';
const enterSecretAction = 'reports_secret';

const title = 'Delivery reports';

/** *Delivery reports*: the address that the provider sends them to, and the secret that they are signed with. */
export function registerReports(router: Router, context: AppContext): void {
  const { services, settings: program } = context;
  const { reports } = services;

  async function currentView({ workspaceId }: User, feedback?: Markup) {
    if (!reports.isOn) {
      return reportsOffView();
    }
    const settings = await reports.settings(workspaceId);
    return reportsView({ ...settings, origin: program.publicAddress }, feedback);
  }

  const secretForm = createSecretForm(context, (user) => currentView(user, saved));
  secretForm.register(router);

  router.action(openActions.reports, 'administer', async ({ user, push }) => {
    await push(await currentView(user));
  });

  router.action(createAddressAction, 'administer', async ({ user, view }) => {
    if (reports.isOn) {
      await reports.createAddress(user.workspaceId, user.userId);
    }
    const feedback = mrkdwn`${stateIcons.done} Created. Enter it in the provider’s dashboard.`;
    await view?.replace(await currentView(user, feedback));
    await context.navigation.refreshHome(user);
  });

  router.action(enterSecretAction, 'administer', async ({ user, view }) => {
    await view?.replace(await secretForm.view(user, undefined));
  });
}

function createSecretForm(
  { services, navigation }: AppContext,
  showSaved: (user: User) => Promise<ModalView>,
) {
  return defineForm({
    id: 'report_secret',
    title: 'Signing secret',
    submit: 'Save',
    needs: 'administer',
    fields: {
      secret: textField('Signing secret', {
        max: 512,
        focus: true,
        secret: true,
        hint: 'From the provider’s dashboard. We store it encrypted, and never show it again.',
      }),
    },
    async submitted({ user, form }) {
      const problem = await services.reports.saveSecret(user.workspaceId, form.secret);
      return problem === undefined
        ? { view: await showSaved(user), background: () => navigation.refreshHome(user) }
        : { faults: { secret: problem } };
    },
  });
}

/** `origin`: Switchboard's public URL. Undefined if it isn't configured. */
type ShownReportSettings = ReportSettings & { origin: string | undefined };

/** The address for reports, and how to enter it at the provider. */
export function reportsView(settings: ShownReportSettings, feedback?: Markup): ModalView {
  return notice(
    title,
    ...banner(feedback),
    section(mrkdwn`Your provider can report whether each message was delivered, to a secret webhook URL.`),
    ...addressBlocks(settings),
    ...keyBlocks(settings),
  );
}

export function reportsOffView(): ModalView {
  return notice(title, section(mrkdwn`Delivery reports are off. Your operator can turn them on.`));
}

function addressBlocks({ token, origin, lastReceived }: ShownReportSettings): KnownBlock[] {
  if (token === undefined) {
    return [actions('address', button(createAddressAction, 'Create webhook URL', { style: 'primary' }))];
  }
  const path = `${reportsPath}${token}`;
  return [
    section(mrkdwn`*Webhook URL*\n\`\`\`${origin ?? ''}${path}\`\`\``),
    ...present(
      origin === undefined &&
        context(mrkdwn`Add Switchboard’s public URL in front, such as https://sms.example.com.`),
    ),
    section(
      mrkdwn`*In the provider’s dashboard*, enter it as the account’s webhook. This replaces any webhook already set there.`,
    ),
    context(
      lastReceived === undefined ? mrkdwn`No reports yet.` : mrkdwn`Last report: ${timeFor(lastReceived)}`,
    ),
    actions(
      'address',
      button(createAddressAction, 'Replace webhook URL', {
        confirm: confirmDialog({
          title: 'Replace webhook URL?',
          text: 'Reports to the current URL will no longer be accepted. Enter the new one in the provider’s dashboard.',
          yes: 'Replace',
          no: 'Keep the URL',
          danger: true,
        }),
      }),
    ),
  ];
}

function keyBlocks({ key, hasKey }: ShownReportSettings): KnownBlock[] {
  if (key === 'api_key') {
    return hasKey
      ? []
      : [section(mrkdwn`${stateIcons.unconfirmed} Reports aren’t accepted until the provider is connected.`)];
  }
  return [
    section(
      hasKey
        ? mrkdwn`*Signing secret*: entered`
        : mrkdwn`${stateIcons.unconfirmed} *Signing secret*: missing. Reports aren’t accepted until it is entered.`,
    ),
    actions('secret', button(enterSecretAction, hasKey ? 'Replace the secret' : 'Enter the secret')),
  ];
}
