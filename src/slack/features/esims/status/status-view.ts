import type { KnownBlock, ModalView } from '@slack/types';
import { readIccid } from '../../../../domain/esims/iccid.ts';
import type { Outcome } from '../../../../provider/errors.ts';
import type { DataPlanStatus, EsimProfile } from '../../../../provider/esims/esim-operations.ts';
import { deadlinesOf, type EsimDeadline, type EsimStatus } from '../../../../services/esims/esims.ts';
import { actions, button, context, divider, facts, notice, section } from '../../../block-kit/build.ts';
import { loadingView } from '../../../block-kit/loading-view.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor } from '../../../block-kit/text.ts';
import { esimActions } from '../actions.ts';
import { usageBar } from './usage-bar.ts';

const title = 'eSIM status';

export function loadingStatus(): ModalView {
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
