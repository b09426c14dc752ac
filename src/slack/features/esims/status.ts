import type { KnownBlock, ModalView } from '@slack/types';
import { readIccid } from '../../../domain/esims/iccid.ts';
import type { Outcome } from '../../../provider/errors.ts';
import type { DataPlanStatus, DataUsage, EsimProfile } from '../../../provider/esims/esim-operations.ts';
import { deadlinesOf, type EsimDeadline, type EsimStatus } from '../../../services/esims/esims.ts';
import {
  actions,
  button,
  context,
  divider,
  facts,
  loadingView,
  modal,
  notice,
  section,
} from '../../block-kit/build.ts';
import { textInput } from '../../block-kit/inputs/fields.ts';
import { esimInput } from '../../block-kit/inputs/selects.ts';
import { helpMessage, type SlackMessage } from '../../block-kit/message.ts';
import { formatPercent, progressBar } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { notConnectedError, whenConnected } from '../../middleware/not-performed.ts';
import type { CommandRequest, FieldErrors, ShowModal, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { numbersOr } from '../../middleware/unknown-subcommand.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { esimActions } from './actions.ts';
import { requirePurchases } from './order.ts';
import { canOrder, showTopUps } from './plans.ts';
import { findIccid, registerEsimSharing } from './share.ts';

/** `/esim-status`: the status of an eSIM, its top-up, and what installs it. */
export function registerEsimStatus(router: Router, context: AppContext): void {
  registerEsimSharing(router, context);
  router.command(
    'esim-status',
    'esim_status',
    whenConnected(context, (call) => onStatusCommand(context, call)),
    () => esimStatusHelp(context.settings.commandPrefix),
    numbersOr(),
  );

  router.action(openActions.esimStatus, 'esim_status', async ({ open }) => {
    await open(pickerView());
  });

  router.submission(pickerCallback, 'esim_status', async ({ user, values }) => {
    const picked = readPicked(values);
    return 'errors' in picked
      ? picked
      : { view: loadingStatus(), background: () => statusOf(context, user, picked.iccid) };
  });

  router.action(esimActions.status, 'esim_status', async (call) =>
    showStatus(context, call.push, call.user, await findIccid(context, call)),
  );

  router.action(esimActions.statusHere, 'esim_status', async (call) =>
    showStatus(context, call.show, call.user, await findIccid(context, call)),
  );

  router.action(esimActions.topUpThis, 'buy', async (call) => {
    await requirePurchases(context, call.user.workspaceId);
    await showTopUps(context, call.show, call.user, await findIccid(context, call));
  });
}

async function onStatusCommand(context: AppContext, call: CommandRequest): Promise<void> {
  const typed = call.text.trim();
  const read = readIccid(typed);
  if (read.ok) {
    await showStatus(context, call.open, call.user, read.iccid);
  } else {
    await call.open(typed === '' ? pickerView() : pickerView(typed, read.reason));
  }
}

async function showStatus(context: AppContext, show: ShowModal, user: User, iccid: string): Promise<void> {
  const replace = await show(loadingStatus());
  await replace(await statusOf(context, user, iccid));
}

async function statusOf(context: AppContext, user: User, iccid: string): Promise<ModalView> {
  const status = await context.services.esims.status(user.workspaceId, iccid);
  if (status === 'not_connected') {
    throw notConnectedError();
  }
  return esimStatusView(status, { canOrder: await canOrder(context, user) });
}

function esimStatusHelp(prefix: string): SlackMessage {
  const name = `/${prefix}esim-status`;
  return helpMessage(
    mrkdwn`How to check an eSIM with ${name}`,
    mrkdwn`*See the status of an eSIM*: profile, plan, dates and data.`,
    [
      mrkdwn`\`${name}\` lets you pick an eSIM or enter an ICCID. \`${name} 8944 1234 …\` shows the status of that eSIM.`,
      mrkdwn`*QR image* sends you the image as a message. You can share it in a channel from there.`,
      mrkdwn`*Install details* shows what to type into a phone that can’t scan.`,
      mrkdwn`*Top up* buys another plan. The price is shown first.`,
    ],
    mrkdwn`Anyone with the QR image or the install details can install the eSIM. Only you see them.`,
  );
}

const pickerCallback = 'esim_status_pick';

/** The choice of an eSIM: from a select, or by its ICCID, typed or pasted. */
export function pickerView(typed = '', problem?: string): ModalView {
  return modal({
    callbackId: pickerCallback,
    title: 'eSIM status',
    submit: 'Show',
    close: 'Cancel',
    blocks: [
      ...(problem === undefined ? [] : [section(mrkdwn`${stateIcons.failed} ${problem}`)]),
      esimInput('chosen', { optional: true, label: 'Pick an eSIM' }),
      textInput('typed', 'Or enter an ICCID', typed, {
        maxLength: 100,
        hint: 'Typed or pasted, with or without spaces.',
        optional: true,
      }),
    ],
  });
}

/** Reads the choice. A typed ICCID wins over the select. */
function readPicked(values: FormValues): { iccid: string } | { errors: FieldErrors } {
  const typed = values.typed?.text?.trim() ?? '';
  const chosen = values.chosen?.text;
  if (typed === '') {
    return chosen === undefined
      ? { errors: { typed: 'Pick an eSIM, or enter an ICCID.' } }
      : { iccid: chosen };
  }
  const read = readIccid(typed);
  return read.ok ? { iccid: read.iccid } : { errors: { typed: read.reason } };
}

const title = 'eSIM status';

function loadingStatus(): ModalView {
  return loadingView(title, 'Asking the provider…');
}

/** The status of an eSIM: the parts that could be fetched, then the others with their errors. */
export function esimStatusView(status: EsimStatus, { canOrder }: { canOrder: boolean }): ModalView {
  const { iccid, profile, plan, usage, at } = status;
  const value = JSON.stringify({ iccid });
  return notice(
    title,
    section(mrkdwn`*eSIM* \`${iccid}\``),
    ...checkDigitWarning(iccid),
    ...withDividers([
      ...part(plan, (found) => planBlocks(found, at)),
      ...part(usage, (found) => [section(mrkdwn`*Data*\n${usageBar(found)}`)]),
      ...part(profile, profileBlocks),
      ...missing([
        ['plan', plan],
        ['data usage', usage],
        ['profile', profile],
      ]),
    ]),
    context(mrkdwn`As of ${timeFor(at)}`),
    actions(
      'esim_status',
      button(esimActions.qrImage, 'QR image', { value }),
      button(esimActions.installation, 'Install details', { value }),
      ...(canOrder ? [button(esimActions.topUpThis, 'Top up', { value })] : []),
      button(esimActions.statusHere, 'Refresh', { value }),
    ),
  );
}

/** Warns of a wrong check digit. SIMs in use have them too, so it is no error. */
function checkDigitWarning(iccid: string): KnownBlock[] {
  const read = readIccid(iccid);
  return read.ok && read.luhn
    ? []
    : [
        context(
          mrkdwn`:warning: The last digit doesn’t match the others. Compare the ICCID with the original.`,
        ),
      ];
}

function part<T>(outcome: Outcome<T>, show: (value: T) => KnownBlock[]): KnownBlock[][] {
  return outcome.kind === 'accepted' ? [show(outcome.value)] : [];
}

/** The parts that could not be fetched. Parts that share an error are named together. */
function missing(parts: readonly (readonly [name: string, outcome: Outcome<unknown>])[]): KnownBlock[][] {
  const names = new Map<string, string[]>();
  for (const [name, outcome] of parts) {
    if (outcome.kind !== 'accepted') {
      const { message } = outcome.error;
      names.set(message, [...(names.get(message) ?? []), name]);
    }
  }
  return [...names].map(([message, those]) => [
    section(mrkdwn`${stateIcons.unknown} *No ${alternatives.format(those)}.* ${message}`),
  ]);
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

function withDividers(groups: readonly KnownBlock[][]): KnownBlock[] {
  return groups.flatMap((blocks, index) => (index === 0 ? blocks : [divider(), ...blocks]));
}

function profileBlocks(profile: EsimProfile): KnownBlock[] {
  const { state, imsi, smdp, reuseRemainingCount, lastOperationDate, releaseDate } = profile;
  return [
    section(mrkdwn`*Profile*`),
    ...factsOf([
      ['State', state === undefined ? undefined : mrkdwn`\`${state}\``],
      ['IMSI', imsi === undefined ? undefined : mrkdwn`${imsi}`],
      ['SM-DP+ address', smdp === undefined ? undefined : mrkdwn`${smdp}`],
      ['Reuses remaining', reuseRemainingCount === undefined ? undefined : mrkdwn`${reuseRemainingCount}`],
      ['Released', releaseDate && timeFor(releaseDate)],
      ['Last operation', lastOperationDate && timeFor(lastOperationDate)],
    ]),
  ];
}

/** Leaves out facts without a text. */
function factsOf(pairs: readonly (readonly [title: string, text: Markup | undefined])[]): KnownBlock[] {
  const present = pairs.flatMap(([title, text]) => (text === undefined ? [] : [[title, text] as const]));
  return present.length === 0 ? [] : [facts(...present)];
}

const statusTexts = new Map([
  ['NOT_ACTIVE', mrkdwn`:hourglass: not activated yet`],
  ['ACTIVE', mrkdwn`${stateIcons.done} active`],
  ['EXPIRED', mrkdwn`${stateIcons.blocked} expired, not usable`],
]);

function planBlocks(plan: DataPlanStatus, now: Date): KnownBlock[] {
  const { status, dataPlan, createdDate, activatedDate, expiryDate, windowActivationEndDate } = plan;
  const name = dataPlan === undefined ? mrkdwn`` : mrkdwn` ${dataPlan}`;
  return [
    section(mrkdwn`*Plan*${name} · ${statusTexts.get(status) ?? mrkdwn`\`${status}\``}`),
    ...factsOf([
      ['Bought', createdDate && timeFor(createdDate)],
      ['Activate by', windowActivationEndDate && timeFor(windowActivationEndDate)],
      ['Activated', activatedDate && timeFor(activatedDate)],
      [expiryDate && expiryDate <= now ? 'Expired' : 'Expires', expiryDate && timeFor(expiryDate)],
    ]),
    ...deadlinesOf(plan, now).map((deadline) => section(warning(deadline))),
  ];
}

function warning({ kind, at, over }: EsimDeadline): Markup {
  if (kind === 'activate') {
    return over
      ? mrkdwn`:warning: *Not activated by ${timeFor(at)}.* The plan may be invalid.`
      : mrkdwn`:warning: *Activate by ${timeFor(at)}.* The plan may become invalid after that.`;
  }
  return over
    ? mrkdwn`:warning: *The plan expired ${timeFor(at)}.* Top up to use the eSIM again.`
    : mrkdwn`:warning: *The plan expires ${timeFor(at)}.* Top up in time.`;
}

/** The used data as a bar with its figures; without a bar if the provider omits one of them. */
export function usageBar({ dataTotalGigabyte: total, dataUsedGigabyte: used }: DataUsage): Markup {
  if (total === undefined || used === undefined) {
    return used === undefined
      ? mrkdwn`${gigabytes(total ?? 0)} in all · used: not known`
      : mrkdwn`${gigabytes(used)} used · total: not known`;
  }
  const share = total > 0 ? used / total : 1;
  const left = Math.max(0, total - used);
  return mrkdwn`${progressBar(share)}\n${formatPercent(share)} used · ${gigabytes(used)} of ${gigabytes(total)} · ${gigabytes(left)} left`;
}

function gigabytes(amount: number): string {
  return `${Number(amount.toFixed(3))} GB`;
}
