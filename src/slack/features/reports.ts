import type { KnownBlock, ModalView } from '@slack/types';
import { type ReportSettings, reportsPath } from '../../services/reports/reports.ts';
import {
  actions,
  banner,
  button,
  confirmDialog,
  context,
  modal,
  notice,
  present,
  section,
} from '../block-kit/build.ts';
import { textInput } from '../block-kit/inputs/fields.ts';
import { stateIcons } from '../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor } from '../block-kit/text.ts';
import type { AppContext } from '../middleware/app-context.ts';
import type { Router } from '../middleware/router/router.ts';
import { openActions } from '../navigation/open-actions.ts';

/** *Delivery reports*: the address that the provider sends them to, and the secret that they are signed with. */
export function registerReports(router: Router, { services, publicOrigin }: AppContext): void {
  const { reports } = services;

  async function currentView(workspaceId: string, said?: Markup) {
    if (!reports.isOn) {
      return reportsOffView();
    }
    const [settings, origin] = await Promise.all([reports.settings(workspaceId), publicOrigin(workspaceId)]);
    return reportsView({ ...settings, origin }, said);
  }

  router.action(openActions.reports, 'administer', async (call) => {
    await call.push(await currentView(call.user.workspaceId));
  });

  router.action(createAddressAction, 'administer', async ({ user, view }) => {
    const { workspaceId, userId } = user;
    if (reports.isOn) {
      await reports.createAddress(workspaceId, userId);
    }
    const said = mrkdwn`${stateIcons.done} The address is new. Enter it on the provider’s dashboard.`;
    await view?.replace(await currentView(workspaceId, said));
  });

  router.action(enterSecretAction, 'administer', async ({ view }) => {
    await view?.replace(secretView());
  });

  router.submission(secretCallback, 'administer', async ({ user, values }) => {
    const problem = await reports.saveSecret(user.workspaceId, values.secret?.text ?? '');
    return problem === undefined
      ? { view: await currentView(user.workspaceId, mrkdwn`${stateIcons.done} Saved.`) }
      : { errors: { secret: problem } };
  });
}

const createAddressAction = 'reports_address';
const enterSecretAction = 'reports_secret';
const secretCallback = 'report_secret';

const title = 'Delivery reports';

/** `origin`: the address that Switchboard has on the web; undefined where it isn’t known. */
type ShownReportSettings = ReportSettings & { origin: string | undefined };

/** The address for reports, and how to enter it at the provider. */
export function reportsView(settings: ShownReportSettings, said?: Markup): ModalView {
  return notice(
    title,
    ...banner(said),
    section(
      mrkdwn`The provider reports what became of each message. It sends the reports to a secret address.`,
    ),
    ...addressBlocks(settings),
    ...keyBlocks(settings),
  );
}

export function reportsOffView(): ModalView {
  return notice(
    title,
    section(mrkdwn`Delivery reports are off. The people who run Switchboard can switch them on.`),
  );
}

export function secretView(): ModalView {
  return modal({
    callbackId: secretCallback,
    title: 'Signing secret',
    submit: 'Save',
    close: 'Cancel',
    blocks: [
      textInput('secret', 'Signing secret', '', {
        maxLength: 512,
        focus: true,
        hint: 'From the provider’s dashboard. We store it encrypted, and never show it again.',
      }),
    ],
  });
}

function addressBlocks({ token, origin, lastReceived }: ShownReportSettings): KnownBlock[] {
  if (token === undefined) {
    return [actions('address', button(createAddressAction, 'Make the address', { style: 'primary' }))];
  }
  const path = `${reportsPath}${token}`;
  return [
    section(mrkdwn`*Address*\n\`${origin ?? ''}${path}\``),
    ...present(
      origin === undefined &&
        context(mrkdwn`Put the public address of Switchboard before it, such as https://sms.example.com.`),
    ),
    section(
      mrkdwn`*On the provider’s dashboard*, enter it as the webhook of the account. An account has one webhook: a former one gets no more reports.`,
    ),
    context(
      lastReceived === undefined
        ? mrkdwn`No report has come yet.`
        : mrkdwn`Last report: ${timeFor(lastReceived)}`,
    ),
    actions(
      'address',
      button(createAddressAction, 'Replace the address', {
        confirm: confirmDialog({
          title: 'Replace the address?',
          text: 'Reports to this address aren’t accepted from then on. Enter the next one on the provider’s dashboard.',
          yes: 'Replace',
          no: 'Keep the address',
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
